/** Which tools a window never allows. */
import { operationOff } from '../access/accessRules.ts';
import { approvalSetting } from '../access/accessSettings.ts';
import { deniedBySetting } from '../access/consent/grants.ts';
import { UserError } from '../core/errors.ts';
import { switchedOff } from '../core/windowTools.ts';
import type { Context } from '../features/context.ts';
import type { Tool } from '../features/tool.ts';

/** What of a tool decides that. */
type Judged = Pick<Tool, 'name' | 'group' | 'operation' | 'alsoNeeds' | 'asksFor'>;

/**
 * Why settings or missing workspace trust make every call of a tool fail, for the agent; undefined if a call may succeed. The list
 * leaves out what a call refuses, because both ask here.
 */
export function blockedBy(tool: Judged, { switches, files, vscode }: Context): UserError | undefined {
  const { name, group, operation, alsoNeeds = [], asksFor } = tool;
  const setting = switches.offBy(tool);
  if (setting) return new UserError(switchedOff(name, setting));
  if (group === 'list') return undefined; // the list of tools has nothing of the workspace
  for (const needed of [operation, ...alsoNeeds]) {
    const off = files.policy.offBy(needed);
    if (off) return operationOff(needed, off);
  }
  const isDenied = asksFor && approvalSetting(vscode, asksFor) === 'deny';
  return isDenied ? new UserError(deniedBySetting(asksFor)) : undefined;
}
