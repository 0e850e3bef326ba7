import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { headerValue } from './modernHeaders.ts';

const KEY = 'x-mcp-header';
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Keywords of JSON Schema with schemas by name, and those with data. */
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const DATA = ['default', 'examples', 'enum', 'const'];

/** A parameter of a tool that is repeated in a header. */
interface HeaderParameter {
  path: readonly string[];
  header: string;
}

class InvalidHeaderError extends Error {}

/** The parameters that a server wants repeated in headers (`x-mcp-header` in a tool's schema, MCP 2026-07-28). */
export class HeaderParameters {
  readonly #byTool = new Map<unknown, readonly HeaderParameter[]>();

  /** Takes in the result of `tools/list`. @returns it without tools whose headers are invalid, as the specification wants */
  learn(result: Fields): Fields {
    if (!Array.isArray(result.tools)) return result;
    return { ...result, tools: result.tools.filter((tool) => this.#learnTool(fieldsOf(tool))) };
  }

  /** The headers of a `tools/call` with these params. */
  headersOf({ name, arguments: values }: Fields): Record<string, string> {
    const found = (this.#byTool.get(name) ?? []).flatMap(({ path, header }) => {
      const value = path.reduce<unknown>((parent, key) => fieldsOf(parent)[key], values);
      return isHeaderValue(value) ? [[`mcp-param-${header}`, headerValue(String(value))]] : [];
    });
    return Object.fromEntries(found);
  }

  #learnTool({ name, inputSchema }: Fields): boolean {
    const found: HeaderParameter[] = [];
    try {
      collect(inputSchema, [], found);
    } catch (error) {
      if (error instanceof InvalidHeaderError) return false;
      throw error;
    }
    const names = new Set(found.map(({ header }) => header.toLowerCase()));
    if (names.size < found.length) return false;
    this.#byTool.set(name, found);
    return true;
  }
}

const isHeaderValue = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);

/** @param path the properties from the root; undefined if a value's place depends on more than their names */
function collect(schema: unknown, path: readonly string[] | undefined, found: HeaderParameter[]): void {
  for (const item of itemsOf(schema)) collect(item, undefined, found);
  if (!isObject(schema)) return;
  if (KEY in schema) found.push(parameterOf(schema, path));
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.includes(key)) continue;
    if (!MAPS.includes(key)) collect(value, undefined, found);
    else
      for (const [name, property] of Object.entries(fieldsOf(value)))
        collect(property, key === 'properties' ? path && [...path, name] : undefined, found);
  }
}

function parameterOf(schema: Fields, path: readonly string[] | undefined): HeaderParameter {
  const header = schema[KEY];
  const isToken = typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header);
  if (!isToken || !path?.length || !TYPES.includes(schema.type)) throw new InvalidHeaderError();
  return { path, header };
}
