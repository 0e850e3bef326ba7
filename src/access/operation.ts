/** Kinds of operation: read, change text, delete, run a program, execute a VS Code command. */
export type Operation = 'read' | 'edit' | 'delete' | 'run' | 'command';

/** The operations that need approval. */
export type ApprovalKind = Exclude<Operation, 'read'>;
