/**
 * What apps of hosted servers (MCP Apps) may not call: all but tools of servers with apps. A page can name any tool on purpose, so its
 * script (`features/hosted/appScript`) does not keep it away.
 */
import { CALL_TOOL } from '../core/calledTool.ts';
import { UserError } from '../core/errors.ts';
import { type Fields, fieldsOf } from '../core/json.ts';
import type { Context } from '../features/context.ts';
import type { Tool, ToolList } from '../features/tool.ts';

/** Whether the agent's program shows an app. @param listed its tools */
export const hasApps = (listed: readonly Tool[], { hosted }: Pick<Context, 'hosted'>): boolean =>
  hosted.showsApps && listed.some(({ apps }) => apps);

/** An entry of `tools/list` that the agent's program refuses to apps (`visibility` of MCP Apps). */
export function closedToApps({ _meta, ...entry }: Fields): Fields {
  const meta = fieldsOf(_meta);
  return { ...entry, _meta: { ...meta, ui: { ...fieldsOf(meta.ui), visibility: ['model'] } } };
}

/**
 * Why a tool cannot be called by its own name: it is not in the list, so nothing closes it to apps there. Models call it by `call_tool`,
 * which is closed. Undefined if it can.
 *
 * @param list what the agent is given
 * @param isOfSource whether a source found it: what is in no list of that says itself why it has gone
 */
export function refusedUnlisted(
  name: string,
  { listed, hidden }: Pick<ToolList, 'listed' | 'hidden'>,
  isOfSource: boolean,
): UserError | undefined {
  const has = (tools: readonly Tool[]) => tools.some((tool) => tool.name === name);
  if (has(listed) || (isOfSource && !has(hidden))) return undefined;
  return new UserError(
    `${name} is not in your list of tools. While your program shows apps of servers, only those in the list can be called by their names. Call it with ${CALL_TOOL.name}, if that is in the list.`,
  );
}
