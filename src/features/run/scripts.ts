/** Scripts of package.json, which package managers run by their names. */
import { join } from 'node:path';
import { type Fields, fieldsOf, isObject, parsedJson } from '../../core/json.ts';
import type { Context } from '../context.ts';

/** The script of a name, with those that run before and after it. */
export function scriptsRun(name: string, all: Fields = {}): Fields {
  const names = [`pre${name}`, name, `post${name}`].filter((one) => Object.hasOwn(all, one));
  return Object.fromEntries(names.map((one) => [one, all[one]]));
}

/** All on the disk. Undefined if it has none that agents may see as they are. */
export async function scriptsIn(cwd: string, { files }: Context) {
  try {
    const text = await files.textOnDisk(await files.locate(join(cwd, 'package.json')));
    const { scripts } = fieldsOf(parsedJson(text ?? ''));
    return isObject(scripts) ? scripts : undefined;
  } catch {
    return undefined;
  }
}
