import { attempt } from '../../core/errors.ts';
import { type Fields, isObject } from '../../core/json.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const isType = (value: unknown): boolean =>
  TYPES.includes(value) || (isTexts(value) && value.length > 0 && value.every((one) => TYPES.includes(one)));

/** Keywords whose value is a schema, a list of schemas, and schemas by name. */
const ONE =
  'items additionalProperties unevaluatedItems unevaluatedProperties contains contentSchema propertyNames not if then else';
const LIST = 'allOf anyOf oneOf prefixItems';
const MAP = 'properties patternProperties $defs definitions dependentSchemas dependencies';

/** What values the keywords of JSON Schema 2020-12 have. */
const KINDS: readonly (readonly [fits: (value: unknown) => boolean, keywords: string])[] = [
  [(value) => isObject(value) || isFlag(value), ONE],
  [(value) => Array.isArray(value) && value.length > 0, `${LIST} enum`],
  [isObject, MAP],
  [(value) => isObject(value) && Object.values(value).every(isTexts), 'dependentRequired'],
  [isType, 'type'],
  [isTexts, 'required'],
  [Array.isArray, 'examples'],
  [isNumber, 'minimum maximum exclusiveMinimum exclusiveMaximum'],
  [(value) => isNumber(value) && (value as number) > 0, 'multipleOf'],
  [
    (value) => Number.isInteger(value) && (value as number) >= 0,
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  ],
  [isFlag, 'uniqueItems deprecated readOnly writeOnly'],
  [
    isText,
    '$ref $dynamicRef $schema $comment title description format pattern contentEncoding contentMediaType',
  ],
  [(value) => isText(value) && /^[^#]*#?$/.test(value), '$id'],
  [(value) => isText(value) && /^[A-Za-z_][-\w.]*$/.test(value), '$anchor $dynamicAnchor'],
  [(value) => isObject(value) && Object.values(value).every(isFlag), '$vocabulary'],
];

const FITS = new Map(
  KINDS.flatMap(([fits, keywords]) => keywords.split(' ').map((keyword) => [keyword, fits] as const)),
);
const [ONES, LISTS, MAPS] = [ONE, LIST, MAP].map((keywords) => new Set(keywords.split(' ')));

/** Whether a keyword may have the value; any other keyword may. */
export const fits = (keyword: string, value: unknown): boolean => FITS.get(keyword)?.(value) ?? true;

const isMap = (keyword: string): boolean => MAPS?.has(keyword) === true;

/** A property of an object that is its own, not one of all objects such as `constructor`. */
export const ownValue = (object: unknown, key: string): unknown =>
  isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;

/** A schema with each schema directly in it changed. All its keywords must fit. */
export function withParts(schema: Fields, change: (part: unknown) => unknown): Fields {
  const changed = (keyword: string, value: unknown): unknown => {
    if (ONES?.has(keyword)) return change(value);
    if (LISTS?.has(keyword)) return (value as unknown[]).map(change);
    return isMap(keyword) ? mapped(keyword, value as Fields, change) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, changed(key, value)]));
}

/** `dependencies` also has lists of names. Elsewhere a list is no schema: some libraries write an empty object so. */
const mapped = (keyword: string, schemas: Fields, change: (part: unknown) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, one]) => [
      name,
      keyword === 'dependencies' && isTexts(one) ? one : change(one),
    ]),
  );

/** What a `$ref` within its own document points at (`#/$defs/a`, RFC 6901); undefined if it is another, or leads nowhere. */
export const pointed = (root: unknown, ref: unknown): unknown =>
  segmentsOf(ref)?.reduce(
    (at: unknown, segment) => (Array.isArray(at) ? at[Number(segment)] : ownValue(at, segment)),
    root,
  );

export function renamedRef(ref: unknown, names: ReadonlyMap<string, string>): unknown {
  const segments = segmentsOf(ref);
  if (!segments) return ref;
  const [, ...written] = `${ref}`.split('/');
  let keyword: string | undefined;
  const renamed = segments.map((segment, index) => {
    const isName = keyword !== undefined && isMap(keyword);
    const name = keyword === 'properties' ? names.get(segment) : undefined;
    keyword = isName ? undefined : segment;
    return name ?? written[index];
  });
  return ['#', ...renamed].join('/');
}

export function refsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === '$ref' && typeof one === 'string' ? [one] : refsIn(one),
  );
}

function segmentsOf(ref: unknown): string[] | undefined {
  if (ref === '#') return [];
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  const segments = attempt(() => ref.slice(2).split('/').map(decodeURIComponent)); // percent-encodings may be broken
  return segments?.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
