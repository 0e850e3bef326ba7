import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { pointed } from '../schemas/localRef.ts';
import { invalidParams } from './refusals.ts';

/** Most steps from a property to the schema that says its type: references may lead in a circle. */
const MOST_STEPS = 10;

export interface PlainProperty {
  /** Its schema without `$ref`, `allOf`, and null among its types. */
  schema: Fields;
  takesNull: boolean;
}

/**
 * A property as the elicitation schemas of MCP have it, also if it is written as Pydantic does: a `$ref` into `$defs`, alone or in an
 * `allOf`, and null as one of several types.
 *
 * @param root the whole schema
 * @throws ProtocolError (invalid params) if a reference leads out of it, or in a circle
 */
export function plainProperty(name: string, property: unknown, root: Fields): PlainProperty {
  let plain: PlainProperty = { schema: fieldsOf(property), takesNull: false };
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = plainer(name, plain.schema, root);
    if (!next) return plain;
    plain = { schema: next.schema, takesNull: plain.takesNull || next.takesNull };
  }
  throw invalidParams(`The property "${name}" refers to others too often, or in a circle.`);
}

/** One step; undefined if it is plain. What stands beside a reference counts more than what it refers to. */
function plainer(name: string, schema: Fields, root: Fields): PlainProperty | undefined {
  const { $ref, allOf, ...rest } = schema;
  if ($ref !== undefined) {
    const target = pointed(root, $ref);
    if (isObject(target))
      return { schema: { ...target, ...rest, ...(allOf ? { allOf } : {}) }, takesNull: false };
    throw invalidParams(`The "$ref" of the property "${name}" does not lead to a schema in requestedSchema.`);
  }
  const [only, ...others] = itemsOf(allOf);
  if (isObject(only) && others.length === 0) return { schema: { ...only, ...rest }, takesNull: false };
  return withoutNull(schema);
}

/** Undefined if null is not among its types, values or alternatives. */
function withoutNull(schema: Fields): PlainProperty | undefined {
  const { type, enum: values } = schema;
  const known = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  if (known.length === 1)
    return { schema: { ...schema, type: known[0] }, takesNull: itemsOf(type).includes('null') };
  if (Array.isArray(values) && values.includes(null))
    return { schema: { ...schema, enum: values.filter((one) => one !== null) }, takesNull: true };
  for (const keyword of ['anyOf', 'oneOf']) {
    const { [keyword]: all, ...rest } = schema;
    const kept = itemsOf(all).filter((one) => !isNull(fieldsOf(one)));
    const [only] = kept;
    const takesNull = kept.length < itemsOf(all).length;
    // A constant has a title of its own, as an option.
    if (kept.length === 1 && isObject(only) && only.const === undefined)
      return { schema: { ...only, ...rest }, takesNull };
    if (takesNull) return { schema: { ...rest, [keyword]: kept }, takesNull };
  }
  return undefined;
}

const isNull = ({ type, const: only }: Fields): boolean => type === 'null' || only === null;
