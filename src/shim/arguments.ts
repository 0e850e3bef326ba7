import { isWindowId, WINDOW_VARIABLE } from '../socket/windowRecord.ts';

/** What the command line asks for. */
export type Command =
  | { kind: 'serve'; windowId?: string }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'wrong'; problem: string };

export const HELP = `Usage: workspace-mcp [--window ID]

Connects an MCP client over stdin and stdout to the VS Code window that has the working directory open.
VS Code needs the Workspace MCP extension.

  --window ID  use the window with this id (also: ${WINDOW_VARIABLE} in the environment)
  --version    print the version
  --help       print this text
`;

export function readArguments(args: string[]): Command {
  const [first, ...rest] = args;
  if (first === undefined) return { kind: 'serve' };
  if (first === '--help') return { kind: 'help' };
  if (first === '--version') return { kind: 'version' };
  if (first !== '--window' && !first.startsWith('--window=')) return wrong(`Unknown argument "${first}".`);
  const [windowId, ...more] = first === '--window' ? rest : [first.slice('--window='.length), ...rest];
  if (windowId === undefined) return wrong('--window needs the id of a window.');
  if (!isWindowId(windowId)) {
    return wrong(`"${windowId}" is not a window id: ids are made of a-z, 0-9 and "-".`);
  }
  return more.length > 0 ? wrong(`Unknown argument "${more[0]}".`) : { kind: 'serve', windowId };
}

const wrong = (problem: string): Command => ({ kind: 'wrong', problem });
