import { fieldsOf } from '../../core/json.ts';
import { realPathOf } from '../../util/diskPaths.ts';
import { readConfiguration } from '../configurationFile.ts';
import type { Machine, Target } from '../program.ts';
import type { Own } from './readHooks.ts';

/**
 * How many of our hooks the user has reviewed in Codex, by its configuration: `[hooks.state."FILE:pre_tool_use:0:0"]` has the hash of
 * the hook at that place. It may be that of an older text: only Codex knows.
 */
export async function reviewedIn(
  { program, place }: Target,
  { configuration: { file }, found }: Own,
  machine: Machine,
): Promise<{ reviewed?: { count: number; all: number } }> {
  if (program.id !== 'codex') return {};
  const read = await readConfiguration(place, '', machine);
  const { state } = fieldsOf(fieldsOf(read?.parse(read.text ?? '')).hooks);
  const isReviewed = (event: string, group: number, hook: number) =>
    [file, realPathOf(file)].some((path) => {
      const { trusted_hash } = fieldsOf(fieldsOf(state)[`${path}:${event}:${group}:${hook}`]);
      return trusted_hash !== undefined;
    });
  const count = found.filter(({ path: [, event, group, , hook] }) =>
    isReviewed(snakeCase(String(event)), Number(group), Number(hook ?? 0)),
  ).length;
  return { reviewed: { count, all: found.length } };
}

const snakeCase = (name: string): string => name.replaceAll(/(?!^)[A-Z]/g, '_$&').toLowerCase();
