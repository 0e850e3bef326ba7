/** Tools that others do as well now: a call by an old name is understood as today's call, and its answer says so. */
import type { Fields } from '../core/json.ts';
import { LIST_WINDOWS, SELECT_WINDOW } from '../core/windowTools.ts';
import type { ToolCallParams } from './tool.ts';

/** By the old name: the tool that does it now, how it is asked, and its arguments. */
const OLD_NAMES = new Map<string, [now: string, how: string, args: (given: Fields) => Fields]>([
  ['create_directory', ['write_file', 'with a path that ends in a slash', withSlash]],
  ['copy_path', ['move_path', 'with copy: true', (given) => ({ ...given, copy: true })]],
  ['replace_symbol', ['edit_symbol', 'with action: "replace"', (given) => ({ ...given, action: 'replace' })]],
  ['delete_symbol', ['edit_symbol', 'with action: "delete"', (given) => ({ ...given, action: 'delete' })]],
  ['insert_at_symbol', ['edit_symbol', 'with action: "insert_after" and the like', inserting]],
  ['list_code_actions', ['apply_code_action', 'with list: true', listing]],
  [LIST_WINDOWS, [SELECT_WINDOW.name, 'without window', () => ({})]],
]);

/** Today's call for one by an old name, and a note on it; undefined if the name is none. */
export function todaysCall({
  name,
  arguments: given = {},
}: ToolCallParams): { params: ToolCallParams; note: string } | undefined {
  const [now, how, args] = OLD_NAMES.get(name) ?? [];
  if (!now) return undefined;
  return { params: { name: now, arguments: args?.(given) }, note: `${name} is now ${now} ${how}.` };
}

function withSlash({ path, ...given }: Fields): Fields {
  return { ...given, path: typeof path === 'string' ? path.replace(/\/?$/, '/') : path };
}

function inserting({ position, ...given }: Fields): Fields {
  return { ...given, action: `insert_${position}` };
}

function listing({ limit: _, ...given }: Fields): Fields {
  return { ...given, list: true };
}
