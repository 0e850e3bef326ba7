import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';

/** The parameter that names what a request is about, by method (MCP 2026-07-28, standard request headers; the extension of tasks). */
const NAME_PARAMETERS = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Marks the schema of a parameter that is repeated in a header. */
const HEADER_KEYWORD = 'x-mcp-header';
const HEADER_TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Keywords of JSON Schema with schemas by name, and those with data. */
const SCHEMA_MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const DATA_KEYWORDS = ['default', 'examples', 'enum', 'const'];

/** A parameter of a tool that is repeated in a header. */
interface MarkedParameter {
  /** The properties from the root; undefined if a value's place depends on more than their names. */
  path: readonly string[] | undefined;
  header: unknown;
  type: unknown;
}

/**
 * The headers of messages over Streamable HTTP: session and version of the connection in the legacy era, and parts of the message's
 * body in the modern era (MCP 2026-07-28).
 */
export class MessageHeaders {
  session: string | undefined;
  /** The version that a legacy server agreed to. */
  #version: string | undefined;
  readonly #marked = new Map<unknown, readonly MarkedParameter[]>();

  /** @param tools as `tools/list` gave them on an earlier connection: calls may need their headers before the next list */
  constructor(tools: readonly unknown[] = []) {
    this.#usable(tools);
  }

  /** Takes over what an answer says. @returns it without tools whose headers are invalid, as the specification wants */
  learn(request: Fields, answer: Fields): Fields {
    const result = fieldsOf(answer.result);
    if (request.method === 'initialize') this.#version = String(result.protocolVersion);
    const isList = request.method === 'tools/list' && isModern(request) && Array.isArray(result.tools);
    return isList ? { ...answer, result: { ...result, tools: this.#usable(itemsOf(result.tools)) } } : answer;
  }

  /** The headers of a request without a body. */
  ofConnection(): Record<string, string> {
    return {
      ...(this.session !== undefined && { 'mcp-session-id': this.session }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** The headers of a message with a body. */
  of({ method, params }: Fields): Record<string, string> {
    const fields = fieldsOf(params);
    const version = versionIn(fields);
    if (version === undefined) return this.ofConnection();
    const name = fields[NAME_PARAMETERS.get(String(method)) ?? ''];
    return {
      ...this.ofConnection(),
      ...(method === 'tools/call' && this.#parametersOf(fields)),
      'mcp-protocol-version': version,
      'mcp-method': String(method),
      ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
    };
  }

  /** The tool's parameters that are marked with `x-mcp-header`. */
  #parametersOf({ name, arguments: values }: Fields): Record<string, string> {
    const found = (this.#marked.get(name) ?? []).flatMap(({ path = [], header }) => {
      const value = path.reduce<unknown>((parent, key) => fieldsOf(parent)[key], values);
      const isHeaderValue =
        typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
      return isHeaderValue ? [[`mcp-param-${header}`, headerValue(String(value))]] : [];
    });
    return Object.fromEntries(found);
  }

  /** The tools whose headers are valid, and remembers those. */
  #usable(tools: readonly unknown[]): unknown[] {
    return tools.filter((tool) => {
      const { name, inputSchema } = fieldsOf(tool);
      const found = [...markedIn(inputSchema, [])];
      const headers = new Set(found.map(({ header }) => String(header).toLowerCase()));
      if (headers.size < found.length || !found.every(isValid)) return false;
      this.#marked.set(name, found);
      return true;
    });
  }
}

function* markedIn(schema: unknown, path: MarkedParameter['path']): Generator<MarkedParameter> {
  for (const item of itemsOf(schema)) yield* markedIn(item, undefined);
  if (!isObject(schema)) return;
  if (HEADER_KEYWORD in schema) yield { path, header: schema[HEADER_KEYWORD], type: schema.type };
  for (const [key, value] of Object.entries(schema)) {
    if (DATA_KEYWORDS.includes(key)) continue;
    if (!SCHEMA_MAPS.includes(key)) yield* markedIn(value, undefined);
    else
      for (const [name, property] of Object.entries(fieldsOf(value)))
        yield* markedIn(property, key === 'properties' ? path && [...path, name] : undefined);
  }
}

const isValid = ({ path, header, type }: MarkedParameter): boolean =>
  typeof header === 'string' &&
  /^[\w!#$%&'*+.^`|~-]+$/.test(header) &&
  path !== undefined &&
  path.length > 0 &&
  HEADER_TYPES.includes(type);

/** Whether a message is of MCP 2026-07-28 or newer. */
export const isModern = ({ params }: Fields): boolean => versionIn(fieldsOf(params)) !== undefined;

function versionIn({ _meta }: Fields): string | undefined {
  const version = fieldsOf(_meta)[PROTOCOL_VERSION_META_KEY];
  return typeof version === 'string' ? version : undefined;
}

/** A text as the value of a header: in Base64 if it has other characters than visible ASCII, or outer spaces. */
export function headerValue(text: string): string {
  const isPlain =
    /^[\t\u0020-\u007e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
