/** How `shim.js lsp` asks a window: it is an MCP client with one tool, which no list has. */

/** The tool. Its result is a {@link DoorAnswer}, in `structuredContent`. */
export const DOOR_TOOL = 'language_server';

/** Methods of its own, besides those of LSP: the problems of a file, and of those that use files; the languages of the window. */
export const OWN_METHODS = 'workspaceMcp/';
export const CHECK = `${OWN_METHODS}check`;
export const CHECK_USERS = `${OWN_METHODS}checkUsers`;
export const LANGUAGES = `${OWN_METHODS}languages`;

export interface DoorRequest {
  method: string;
  params: object;
  /** The files that the client has open: by URI the hash of its text. */
  open: Record<string, string>;
  /** By URI, the texts that the window has asked for. */
  texts?: Record<string, string>;
}

export interface DoorAnswer {
  result?: unknown;
  /** URIs of files of which the client has another text than the window: ask again with these. */
  needs?: string[];
  error?: { code: number; message: string };
  /** For the log of the client. */
  note?: string;
  /** Why there is no window. */
  none?: string;
}

/** Result of {@link LANGUAGES}: what has a language server in the window, sorted. */
export interface ServedLanguage {
  id: string;
  /** Ends of the names of its files, with the dot. */
  extensions: readonly string[];
}

/** Results of {@link CHECK} and {@link CHECK_USERS}: files whose problems are known, or may soon be. */
export interface CheckedFile {
  uri: string;
  /** As LSP has them; undefined if a language server has not reported on the text yet. */
  diagnostics?: object[];
}

/** Codes of LSP 3.17. */
export const REQUEST_CANCELLED = -32800;
export const CONTENT_MODIFIED = -32801;
export const SERVER_CANCELLED = -32802;
export const REQUEST_FAILED = -32803;

/** What the user sees as the name of an agent's language client. It must not be taken for the agent, which has hooks. */
export const doorName = (client: string): string => `LSP of ${client}`;

export const isDoorName = (name: string): boolean => name.startsWith(doorName(''));
