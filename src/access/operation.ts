/** Kinds of operation: read, change text, delete, run a program, execute a VS Code command, call a tool of a hosted MCP server. */
export type Operation = 'read' | 'edit' | 'delete' | 'run' | 'command' | 'server';

/** The operations that need approval. */
export type ApprovalKind = Exclude<Operation, 'read'>;

/** What the user can allow or deny for longer than one call: a kind, a hosted server, or one of its tools. */
export type Grant = ApprovalKind | `server:${string}`;
