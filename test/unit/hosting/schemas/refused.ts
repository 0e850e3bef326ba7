/** What the APIs of models refuse in the input schema of a tool, as far as is known. */
import { type Fields, fieldsOf, isObject } from '../../../../src/core/json.ts';

const TOP = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', 'enum', 'const'];

/** The reasons; none if the schema is taken. */
export function refused(schema: Fields): string[] {
  const top = TOP.filter((keyword) => keyword in schema);
  return [...top, ...(schema.type === 'object' ? [] : ['type']), ...refusedWithin(schema, schema)];
}

function refusedWithin(value: unknown, root: Fields): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => refusedWithin(one, root));
  if (!isObject(value)) return [];
  const { type, items, properties, $ref } = value;
  const hasArrays = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const names = Object.keys(fieldsOf(properties)).filter((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name));
  const at = typeof $ref === 'string' ? $ref.slice(2).split('/') : [];
  const leads = at.reduce<unknown>((one, key) => fieldsOf(one)[key], root) !== undefined;
  return [
    ...names,
    ...(hasArrays && !isObject(items) && typeof items !== 'boolean' ? ['items'] : []),
    ...(leads ? [] : [`${$ref}`]),
    ...Object.values(value).flatMap((one) => refusedWithin(one, root)),
  ];
}
