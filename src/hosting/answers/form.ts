import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { pointed } from '../schemas/keywords.ts';
import { invalidParams } from './refusals.ts';

export type FormValue = string | number | boolean | string[];

interface Option {
  value: string;
  title: string;
}

interface Common {
  name: string;
  title: string;
  description: string;
  isRequired: boolean;
  default?: FormValue;
}

export interface TextField extends Common {
  type: 'text';
  /** In Unicode characters. */
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  /** How many patterns of its form took too long. */
  slow?: { patterns: number };
  format?: string;
}

export interface NumberField extends Common {
  type: 'number' | 'integer';
  minimum?: number;
  maximum?: number;
}

export interface ChoicesField extends Common {
  type: 'choices';
  options: Option[];
  minItems?: number;
  maxItems?: number;
}

/** A question of a form. Texts of the server are not escaped. */
export type FormField =
  | TextField
  | NumberField
  | ChoicesField
  | (Common & { type: 'boolean' })
  | (Common & { type: 'choice'; options: Option[] });

/** Most fields of a form, and options of all of them: the user reads all of it, and the page stays quick. */
const MOST_FIELDS = 100;
const MOST_OPTIONS = 1_000;
/** Most UTF-16 units of what a server says in one place. */
export const TEXT_LENGTH = 20_000;

/**
 * The fields of a form, in their order. The schema is the restricted one of MCP 2025-11-25 (elicitation), older spellings
 * included: an object of texts, numbers, booleans and choices. Those that take null may be left empty.
 *
 * @throws ProtocolError (invalid params) for any other schema
 */
export function formFields(root: unknown): FormField[] {
  const fields = allFields(root);
  const options = fields.reduce((sum, field) => sum + ('options' in field ? field.options.length : 0), 0);
  if (fields.length > MOST_FIELDS || options > MOST_OPTIONS)
    throw invalidParams(
      `A form has at most ${MOST_FIELDS} fields and at most ${MOST_OPTIONS} options in all.`,
    );
  const slow = { patterns: 0 };
  return fields.map((field) => ('pattern' in field ? { ...field, slow } : field));
}

function allFields(root: unknown): FormField[] {
  return propertiesOf(root).flatMap(({ name, title, isRequired, takesNull, schema }) => {
    if (schema.type === 'null') return []; // there is nothing to ask
    const { description } = schema;
    const field = {
      name,
      title: typeof title === 'string' && title !== '' ? title : name,
      description: typeof description === 'string' ? description : '',
      isRequired: isRequired && !takesNull,
      ...specificOf(name, schema, fieldsOf(root)),
    } as FormField;
    // A default of the wrong type is ignored; one that breaks another rule is shown, and must be corrected.
    return [isValueOf(field, schema.default) ? { ...field, default: schema.default } : field];
  });
}

/** Null by the names of properties that are required, but may be left empty. @throws as `formFields` */
export const emptyAnswer = (root: unknown): Record<string, null> =>
  Object.fromEntries(
    propertiesOf(root)
      .filter(({ isRequired, takesNull, schema }) => isRequired && (takesNull || schema.type === 'null'))
      .map(({ name }) => [name, null]),
  );

interface Property extends PlainProperty {
  name: string;
  /** Its own: that of a schema that it refers to names a type. */
  title: unknown;
  isRequired: boolean;
}

function propertiesOf(root: unknown): Property[] {
  const { properties, required } = fieldsOf(root);
  if (!isObject(properties)) throw invalidParams('requestedSchema needs an object "properties".');
  const names = itemsOf(required);
  return Object.entries(properties).map(([name, own]) => ({
    ...plainProperty(name, own, fieldsOf(root)),
    name,
    title: fieldsOf(own).title,
    isRequired: names.includes(name),
  }));
}

function specificOf(name: string, property: Fields, root: Fields): object {
  const { type, items, format, pattern, anyOf, oneOf, enum: values, const: only } = property;
  if (type === 'boolean') return { type };
  if (type === 'number' || type === 'integer')
    return { type, ...numbersOf(property, ['minimum', 'maximum']) };
  if (type === 'array') {
    const options = optionsOf(name, plainProperty(name, items, root).schema);
    return { type: 'choices', options, ...numbersOf(property, ['minItems', 'maxItems']) };
  }
  const isChoice = [oneOf, values, only, type === undefined ? anyOf : undefined].some(Boolean);
  if (type !== 'string' && !(type === undefined && isChoice))
    throw invalidParams(
      `The type of the property "${name}" is not one that forms have: ${JSON.stringify(type)}.`,
    );
  if (isChoice) return { type: 'choice', options: optionsOf(name, property) };
  return {
    type: 'text',
    ...numbersOf(property, ['minLength', 'maxLength']),
    ...(typeof pattern === 'string' && { pattern }),
    ...(typeof format === 'string' && { format }),
  };
}

const numbersOf = (property: Fields, names: readonly string[]): object =>
  Object.fromEntries(
    names.map((name) => [name, property[name]]).filter(([, value]) => typeof value === 'number'),
  );

/** `enum` with or without the `enumNames` of MCP 2025-06-18; `oneOf` or `anyOf` with `const` and `title`; a single `const`. */
function optionsOf(name: string, schema: Fields): Option[] {
  const { enum: values, enumNames, oneOf, anyOf, const: only } = schema;
  const names = itemsOf(enumNames);
  const plain = itemsOf(values).map((value, index) => ({ value, title: names[index] ?? value }));
  const single = only === undefined ? [] : [{ const: only }];
  const titled = itemsOf(oneOf ?? anyOf ?? single).map((one) => {
    const { const: value, title } = fieldsOf(one);
    return { value, title: title ?? value };
  });
  const options = [...plain, ...titled];
  const isOption = (one: (typeof options)[number]): one is Option =>
    typeof one.value === 'string' && typeof one.title === 'string';
  if (options.length === 0 || !options.every(isOption))
    throw invalidParams(`The property "${name}" needs texts to choose from.`);
  return options;
}

function isValueOf(field: FormField, value: unknown): value is FormValue {
  const isOption = (one: unknown) =>
    'options' in field && field.options.some((option) => option.value === one);
  switch (field.type) {
    case 'text':
      return typeof value === 'string' && value.length <= TEXT_LENGTH;
    case 'choice':
      return isOption(value);
    case 'choices':
      return Array.isArray(value) && value.every(isOption);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return typeof value === 'number';
  }
}

/** Most steps from a property to the schema that says its type: references may lead in a circle. */
const MOST_REFERENCES = 10;

interface PlainProperty {
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
function plainProperty(name: string, property: unknown, root: Fields): PlainProperty {
  let plain: PlainProperty = { schema: fieldsOf(property), takesNull: false };
  for (let step = 0; step < MOST_REFERENCES; step++) {
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
