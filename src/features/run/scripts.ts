/** Scripts of package.json, which package managers run by their names. */
import { join } from 'node:path';
import { type Fields, fieldsOf, isObject, parsedJson } from '../../core/json.ts';
import type { Context } from '../context.ts';

/** The script of a name, with those that run before and after it. */
export function scriptsRun(name: string, all: Fields = {}): Fields {
  const names = [`pre${name}`, name, `post${name}`].filter((one) => Object.hasOwn(all, one));
  return Object.fromEntries(names.map((one) => [one, all[one]]));
}

/** A package manager with the name of a script, or of a command of its own. */
const CALL = /\b(npm|pnpm|yarn|bun)\s+(run(?:-script)?\s+)?([\w:.-]+)/g;
/** Then the scripts are those of another folder, or of several. */
const ELSEWHERE = /\bcd\s|\s(?:--prefix|--cwd|--dir|--filter|--workspaces?|-[CFrw])\b/;
/** Words that npm takes for a script without `run`. */
const NPM: Record<string, string> = { t: 'test', tst: 'test', test: 'test', start: 'start', stop: 'stop' };

/** The scripts that a command line names, for the question: whatever is beside them in the line. Undefined if none are known. */
export async function scriptsNamed(line: string, cwd: string, ctx: Context): Promise<Fields | undefined> {
  const names = [...line.matchAll(CALL)].map(([, manager, run, name = '']) =>
    run === undefined && manager === 'npm' ? NPM[name] : name,
  );
  const known = names.filter((name) => name !== undefined);
  const all = known.length > 0 && !ELSEWHERE.test(line) ? await scriptsIn(cwd, ctx) : undefined;
  const found = Object.assign({}, ...known.map((name) => scriptsRun(name, all))) as Fields;
  return Object.keys(found).length > 0 ? found : undefined;
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
