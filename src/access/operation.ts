/** Kinds of operation: read, change text, delete, run a program, execute a VS Code command, call a tool of a hosted MCP server. */
export type Operation = 'read' | 'edit' | 'delete' | 'run' | 'command' | 'server';

/** What needs approval: the operations, with tasks and tests and debugging apart from commands, though all of them are `run`. */
export type ApprovalKind = Exclude<Operation, 'read'> | 'task' | 'test' | 'debug';

/**
 * What the user can allow or deny for longer than one call: a kind, changes of one file's text or of all in a folder (its URI ends
 * with a slash), one command line, a hosted server or one of its tools, or one command of VS Code.
 */
export type Grant =
  | ApprovalKind
  | `edit:${string}`
  | `run:${string}`
  | `server:${string}`
  | `command:${string}`;
