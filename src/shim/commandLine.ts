import { isWindowId, WINDOW_VARIABLE } from '../ipc/windowRecord.ts';

/** What the command line asks for. */
export type Command =
  | { kind: 'serve'; windowId?: string; workspace?: string }
  | { kind: 'doctor'; windowId?: string; workspace?: string }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'wrong'; problem: string };

/** The variable that says how long requests wait for a window that has gone, in seconds. */
export const WAIT_VARIABLE = 'WORKSPACE_MCP_WAIT';

export const HELP = `Usage: workspace-mcp [--doctor] [--window ID | --workspace DIR]

Connects an MCP client over stdin and stdout to the VS Code window that has the working directory open.
VS Code needs the Workspace MCP extension.

  --window ID      use the window with this id, and no other
  --workspace DIR  use the window that has this directory open, instead of the working directory
  --doctor         tell what is there and what is wrong, which window an agent would get, and why; the exit code is
                   0 where it would get one, 1 where it would not, and 2 where something is broken
  --version        print the version
  --help           print this text

Without a window the program goes on, tells the client what to do, and connects as soon as there is one. Where several
windows have the directory open, ${WINDOW_VARIABLE} in the environment names one: terminals of VS Code have it. When a window
goes, requests wait for its return, for 30 s or as many as ${WAIT_VARIABLE} says.
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
