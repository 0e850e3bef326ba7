import { isWindowId, WINDOW_VARIABLE } from '../ipc/windowRecord.ts';
import type { NamedWindow } from './window/windowQuery.ts';

export type Command =
  | ({ kind: 'serve' | 'doctor' } & NamedWindow)
  | { kind: 'help' | 'version' }
  | { kind: 'wrong'; problem: string };

/** Environment variable: how long requests wait for a closed window to return, in seconds. */
export const WAIT_VARIABLE = 'WORKSPACE_MCP_WAIT';

export const HELP = `Usage: workspace-mcp [lsp [NAME] | --doctor] [--window ID | --workspace DIR]

Connects an MCP client on stdin and stdout to the VS Code window that has the working directory open.
VS Code needs the Workspace MCP extension.

  lsp [NAME]       be a language server instead, for a client that speaks LSP: it answers as those of the window do
  --window ID      use only the window with this id
  --workspace DIR  use the window that has DIR open, instead of the working directory
  --doctor         check the setup, and show which window an agent would get and why; exit code 0: a window was
                   found, 1: no window, 2: something is broken
  --version        print the version
  --help           print this text

Without a window the program keeps running, tells the client what to do, and connects when a window opens. If several
windows have the directory open, ${WINDOW_VARIABLE} in the environment selects one; VS Code sets it in its terminals.
When the window closes, requests wait for its return: 30 s, or the number of seconds in ${WAIT_VARIABLE}.
`;

/** Options that take a value. */
const VALUES: Record<string, (value: string) => Command> = {
  '--window': (windowId) =>
    isWindowId(windowId)
      ? { kind: 'serve', windowId }
      : wrong(`"${windowId}" is not a window id: ids are made of a-z, 0-9 and "-".`),
  '--workspace': (workspace) =>
    workspace === '' ? wrong('--workspace needs a directory.') : { kind: 'serve', workspace },
};

export function readArguments(args: string[]): Command {
  const command = readOption(args.filter((arg) => arg !== '--doctor'));
  return command.kind === 'serve' && args.includes('--doctor') ? { ...command, kind: 'doctor' } : command;
}

function readOption(args: string[]): Command {
  const [first, ...rest] = args;
  if (first === undefined) return { kind: 'serve' };
  if (first === '--help') return { kind: 'help' };
  if (first === '--version') return { kind: 'version' };
  const [, name = first, given] = /^(--[a-z]+)=(.*)$/s.exec(first) ?? [];
  const read = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (!read) return wrong(`Unknown argument "${first}".`);
  const [value, ...more] = given === undefined ? rest : [given, ...rest];
  if (value === undefined)
    return wrong(`${name} needs ${name === '--window' ? 'the id of a window' : 'a directory'}.`);
  return more.length > 0 ? wrong(`Unknown argument "${more[0]}".`) : read(value);
}

const wrong = (problem: string): Command => ({ kind: 'wrong', problem });
