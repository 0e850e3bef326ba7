import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { UserError } from '../core/errors.ts';
import { type Fields, isObject, parsedJson } from '../core/json.ts';
import { cutText } from '../core/text/cut.ts';
import type { Tool } from '../features/tool.ts';
import { oncePer } from '../util/once.ts';

/** The entry of a tool in `tools/list`. Made once: converting a zod schema to JSON Schema is slower than a call. */
export const listedTool = oncePer((tool: Tool): ListedTool => {
  if (tool.listed) return tool.listed as ListedTool;
  const { name, title, description, annotations } = tool;
  const meta = metaOf(tool);
  const entry: ListedTool = {
    name,
    title,
    description,
    inputSchema: jsonSchema(tool.input, 'input'),
    annotations,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  if (tool.output) entry.outputSchema = withoutDetails(jsonSchema(tool.output, 'output'));
  return entry;
});

/** A model does not come near. */
const HIGH = 100;

/**
 * JSON Schema without `$schema`: it means the same in draft 7, which older clients assume, and in 2020-12, the default since
 * MCP 2025-11-25. A schema that needs 2020-12 says so (`.meta({ $schema })`), and keeps its `$schema`.
 */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const $schema = schema.meta()?.$schema as string | undefined;
  const override = ({ jsonSchema: json }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    const { additionalProperties: more } = json;
    // A model needs the lengths of texts and high bounds only in errors, which name them.
    delete json.minLength;
    delete json.maxLength;
    if ((json.maximum ?? 0) > HIGH) delete json.maximum;
    delete json.propertyNames; // names of fields are texts anyway
    // Some clients refuse the bounds of JavaScript's safe integers.
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (io === 'output')
      delete json.additionalProperties; // a later version may have more
    // Any fields are allowed: zod's `{}` looks forgotten, and the inspector warns of it.
    else if (typeof more === 'object' && Object.keys(more).length === 0) json.additionalProperties = true;
  };
  const target = $schema ? 'draft-2020-12' : 'draft-7';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target, io, override });
  return { ...($schema && { $schema }), ...json } as ListedTool['inputSchema'];
}

/** Keeps only the top-level fields of a result: the model sees the rest in results, and clients pay for long schemas. */
function withoutDetails(schema: ListedTool['inputSchema']): ListedTool['inputSchema'] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { type, description } = field as { type?: string; description?: string };
    return [name, { type, ...(description && { description }) }];
  });
  const { required: _, ...rest } = schema;
  return { ...rest, properties: Object.fromEntries(fields) };
}

/** Prefix of the `_meta` keys of Claude Code. */
const CLAUDE = 'anthropic';
/** The longest answer, in characters, that it takes from a tool that declares it; from others about 50,000. */
const CLAUDES_MOST = 500_000;

/**
 * `_meta` for Claude Code: words for its tool search, whether the tool is always loaded, and how long an answer may be.
 */
const metaOf = ({ hints: { search, alwaysLoad } = {}, input }: Tool): Record<string, unknown> => ({
  ...(search && { [`${CLAUDE}/searchHint`]: search }),
  ...(alwaysLoad && { [`${CLAUDE}/alwaysLoad`]: true }),
  ...('maxCharacters' in input.shape && { [`${CLAUDE}/maxResultSizeChars`]: CLAUDES_MOST }),
});

/** Most UTF-16 units of the message: a million arguments may be wrong at once. */
const LONGEST_COMPLAINT = 1000;
/** A list in a text may hold numbers in texts. */
const ROUNDS = 4;
/** Each costs a copy of what it is in. */
const MOST_REPAIRS = 200;

/**
 * The arguments of a call: as the tool's schema has them, or as they were meant where only one meaning is possible.
 *
 * @throws UserError that says what does not fit, and what would
 */
export function validate({ name, input }: Pick<Tool, 'name' | 'input'>, given: Fields): unknown {
  const exact = input.safeParse(given);
  if (exact.success) return exact.data;
  if (takesNone(input)) return {}; // clients add their own
  const parsed = input.safeParse(asMeant(input, given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => describe(input, issue)).join('; ');
  throw new UserError(`Invalid arguments for ${name}: ${cutText(problems, LONGEST_COMPLAINT)}.`);
}

export const takesNone = ({ shape, def }: z.ZodObject): boolean =>
  Object.keys(shape).length === 0 && def.catchall instanceof z.ZodNever;

/** Arguments, repaired if they can be meant in one way only. A text stays if the schema wants a text. */
export function asMeant(schema: z.ZodObject, given: unknown): unknown {
  let args = given;
  for (let round = 0; round < ROUNDS; round++) {
    const parsed = schema.safeParse(args);
    const repaired = parsed.success ? args : repair(schema, args, parsed.error.issues);
    if (repaired === args) break;
    args = repaired;
  }
  return args;
}

function repair(schema: z.ZodObject, args: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  let repaired = args;
  for (const issue of issues.slice(0, MOST_REPAIRS)) {
    const path = [...issue.path] as (string | number)[];
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) repaired = respelled(repaired, path, key, keysAt(schema, path));
    else
      repaired = replaced(repaired, path, (value) => {
        if (issue.code === 'invalid_type' && issue.expected === 'boolean' && (value === 0 || value === 1))
          return value === 1;
        if (isEmpty(value) && isOptional(schemaAt(schema, path))) return undefined;
        return issue.code === 'invalid_type' ? ofType(issue.expected, value) : value;
      });
  }
  return repaired;
}

/** Some models write every argument, and leave those empty that they do not want. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

/** JSON in a text, or one value for a list of one; the value itself if it can be neither. */
function ofType(expected: string, value: unknown): unknown {
  const inText = typeof value === 'string' ? parsedJson(value) : undefined;
  if (inText !== undefined && isOfType(expected, inText)) return inText;
  if (expected !== 'array' || value === undefined || isEmpty(value)) return value;
  return [isObject(inText) ? inText : value];
}

function isOfType(expected: string, value: unknown): boolean {
  if (expected === 'array') return Array.isArray(value);
  if (expected === 'object' || expected === 'record') return isObject(value);
  if (expected === 'int') return Number.isInteger(value);
  return typeof value === expected && expected !== 'string';
}

/** A name in another style, such as `start_line`, or in the singular of a list, if that argument is not given. */
function respelled(
  args: unknown,
  path: readonly (string | number)[],
  key: string,
  known: readonly string[],
): unknown {
  const spelled = (wanted: string) => known.filter((one) => plain(one) === wanted);
  const exact = spelled(plain(key));
  const [name, ...others] = exact.length > 0 ? exact : spelled(`${plain(key)}s`);
  if (name === undefined || others.length > 0) return args;
  return replaced(args, path, (object) => {
    if (!isObject(object) || Object.hasOwn(object, name)) return object;
    const { [key]: value, ...rest } = object;
    return { ...rest, [name]: value };
  });
}

const plain = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

/** A copy in which the value at a path is another one, or is missing if that is undefined; the same if nothing changes. */
function replaced(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  const container = value as Record<string | number, unknown>;
  const before = container[key];
  const after = replaced(before, rest, change);
  if (after === before) return value;
  if (Array.isArray(value)) return value.with(Number(key), after);
  const { [key]: _, ...others } = container;
  return after === undefined ? others : { ...others, [key]: after };
}

function schemaAt(
  schema: z.core.$ZodType | undefined,
  [key, ...rest]: readonly (string | number)[],
): z.core.$ZodType | undefined {
  if (key === undefined) return schema;
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) return schemaAt(inner.shape[key], rest);
  return inner instanceof z.ZodArray ? schemaAt(inner.element, rest) : undefined;
}

const unwrapped = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;

const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && z.safeParse(schema, undefined).success;

function keysAt(schema: z.ZodObject, path: readonly (string | number)[]): string[] {
  const at = unwrapped(schemaAt(schema, path));
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** One problem: the argument and what was expected. */
function describe(schema: z.ZodObject, issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return where ? `"${where}": ${issue.message}` : issue.message;
  const names = issue.keys.map((key) => `"${key}"`).join(', ');
  const known = keysAt(schema, issue.path as string[]).join(', ');
  return `${where ? `${where} has` : 'there is'} no argument ${names}; ${where || 'it'} has ${known}`;
}
