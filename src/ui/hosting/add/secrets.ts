/** Keeps secrets out of settings. Pure. */
import { looksSecret, namesSecret } from '../../../access/redaction/secrets.ts';
import { type Fields, fieldsOf, itemsOf } from '../../../core/json.ts';

/** A definition without secrets, and the values that its `${input:…}` variables stand for. */
interface Separated {
  definition: Fields;
  secrets: Record<string, string>;
}

export function withoutSecrets(definition: Fields): Separated {
  const secrets: Record<string, string> = {};
  /** @param name of the field, option or parameter that has the value */
  const kept = (name: string, value: string): string => {
    const [, scheme = '', rest = ''] = /^((?:Bearer|Basic|token)\s+)?(.*)$/is.exec(value) ?? [];
    if (rest === '' || rest.includes('${') || !(namesSecret(name) || looksSecret(rest))) return value;
    const id = freeId(name.replace(/^-+/, '') || 'secret', rest, secrets);
    secrets[id] = rest;
    return `${scheme}\${input:${id}}`;
  };
  const { args, env, headers, url } = definition;
  const fields: Fields = {
    ...(args !== undefined && { args: argumentsWith(itemsOf(args), kept) }),
    ...(env !== undefined && { env: valuesWith(fieldsOf(env), kept) }),
    ...(headers !== undefined && { headers: valuesWith(fieldsOf(headers), kept) }),
    ...(typeof url === 'string' && {
      url: url.replace(
        /([?&])([^=&#]+)=([^&#]+)/g,
        (_, mark, name, value) => `${mark}${name}=${kept(name, value)}`,
      ),
    }),
  };
  return { definition: { ...definition, ...fields }, secrets };
}

/** Two different values need two inputs. */
function freeId(wanted: string, value: string, secrets: Record<string, string>): string {
  const isFree = (id: string) => !Object.hasOwn(secrets, id) || secrets[id] === value;
  let id = wanted;
  for (let number = 2; !isFree(id); number++) id = `${wanted}-${number}`;
  return id;
}

type Keep = (name: string, value: string) => string;

const valuesWith = (values: Fields, keep: Keep): Fields =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? keep(name, value) : value,
    ]),
  );

/** `--token=x` and `--token x`. */
const argumentsWith = (args: readonly unknown[], keep: Keep): unknown[] =>
  args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const [, option, value] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (option !== undefined && value !== undefined) return `${option}=${keep(option, value)}`;
    if (arg.startsWith('-')) return arg;
    const before = args[index - 1];
    return keep(typeof before === 'string' && /^--?[\w-]+$/.test(before) ? before : '', arg);
  });
