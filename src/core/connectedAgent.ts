/** An agent as the user sees it. */
export interface NamedAgent {
  /** Name of its client. */
  agent: string;
  /** Distinguishes agents of the same name, if there are several. */
  number?: number;
  /** Working directory of its process. */
  directory?: string;
}

/** An agent that is connected to the window. */
export interface ConnectedAgent extends NamedAgent {
  /** Unique in the window; a connection that resumes a session has that session's. */
  id: number;
}
