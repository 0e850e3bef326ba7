import type * as vscode from 'vscode';
import type { Client } from '../core/clients.ts';
import type { Fields } from '../core/json.ts';
import type { Format } from './formats/format.ts';

/** Name of our entry in an agent's configuration. */
export const ENTRY = 'workspace-mcp';

/** The machine of the agents: in a remote window, the one where the extension host runs. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  /** The first workspace folder on this machine. */
  folder?: string;
  /** VS Code's folder `User`, or the one of the current profile: it has `mcp.json` and `globalStorage`. */
  userData?: string;
  /** Whether the user's own VS Code runs on another machine, so its `mcp.json` is not in that folder. */
  isRemote?: boolean;
  l10n: Pick<typeof vscode.l10n, 't'>;
}

export interface ServerCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export type PlaceScope = 'user' | 'project' | 'local';

/** Most bytes of a configuration file: Claude Code keeps its history in the same file. */
export const MOST_CONFIGURATION_BYTES = 64 * 1024 * 1024;

/** A file in which an agent finds its MCP servers. */
export interface Place {
  /** `user`: all projects. `project`: shared with the repository. `local`: one project, in the user's own file. */
  scope: PlaceScope;
  format: Format;
  /** Absolute paths; the first that exists is used, or the last if none does. Empty if this machine has no such place. */
  files(machine: Machine): string[];
  /** The way to the object that has the servers by name. */
  path(machine: Machine): string[];
  /** What the agent replaces by the home directory of the user who runs it; for files that are shared. */
  home?(machine: Machine): string | undefined;
}

/** An agent that can start our shim: one row of the table. */
export interface AgentProgram extends Client {
  /** For settings and tests; never changes. */
  id: string;
  name: string;
  /** Its command on the PATH, if it has one. */
  command?: string;
  /** Whether it does not have the PATH of a shell, so it needs the absolute path of Node.js. */
  isDesktop?: boolean;
  /** The usual one first. */
  places: readonly [Place, ...Place[]];
  /** The entry in its shape, if that is not the usual one. */
  entry?(server: ServerCommand): Fields;
  /** The words of its own command that adds the entry for the user. */
  add?(server: ServerCommand): string[];
  /**
   * Its time limit for a tool call, if known: seconds if the entry does not say, and the field of the entry that sets it, if there is
   * one, with how many of the field's units are a second.
   */
  limit?: { usual: number; field?: string; unit?: number };
}

export interface Target {
  program: AgentProgram;
  place: Place;
}
