import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import {
  LIST_WINDOWS,
  listedWindows,
  SELECT_WINDOW,
  selectedWindow,
  switchedOff,
} from '../../core/windowTools.ts';
import { openWindows } from '../../ipc/openWindows.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import type { Request } from './jsonRpc.ts';
import { toolError } from './offlineAnswers.ts';

const NAMES: readonly unknown[] = [LIST_WINDOWS.name, SELECT_WINDOW.name];

/** Whether the shim can answer a request from the window records. */
export const isOfWindows = ({ method, params }: Request): boolean =>
  method === 'tools/call' && NAMES.includes(params.name);

/** Answers `list_windows` or `select_window` for an agent without a window. @returns also the id of the selected window */
export async function callWindowTool(
  { params }: Request,
  records: readonly WindowRecord[],
): Promise<{ result: Fields; id?: string }> {
  const isSelection = params.name === SELECT_WINDOW.name;
  try {
    const { window, ...others } = fieldsOf(params.arguments);
    if (isSelection && (typeof window !== 'string' || Object.keys(others).length > 0))
      throw new UserError(`Invalid arguments for ${params.name}: ${TAKES_ID}.`);
    const id = `${window}`;
    requireOn(`${params.name}`, isSelection ? records.filter((record) => record.id === id) : records);
    const open = await openWindows(records);
    const [structuredContent, text] = isSelection ? selectedWindow(open, id) : listedWindows(open);
    const result = { content: [{ type: 'text', text }], structuredContent };
    return { result, ...(isSelection && { id }) };
  } catch (error) {
    if (error instanceof UserError) return { result: toolError(error.message) };
    throw error;
  }
}

const TAKES_ID = 'it takes only "window", the id of a window';

/** @throws UserError if all the windows have switched the tool off */
function requireOn(tool: string, windows: readonly WindowRecord[]): void {
  const settings = windows.map(({ toolsOff }) => toolsOff?.[tool]);
  const [setting] = settings;
  if (setting !== undefined && settings.every((one) => one !== undefined))
    throw new UserError(switchedOff(tool, setting));
}
