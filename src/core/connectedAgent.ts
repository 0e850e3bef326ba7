/** An agent as the user sees it. */
export interface NamedAgent {
  /** Name of its client. */
  agent: string;
  /** Distinguishes agents of the same name, if there are several. */
  number?: number;
  /** Working directory of its process. */
  directory?: string;
}

/** Its name, with its number if several agents have that name. */
export const agentName = ({ agent, number }: NamedAgent): string =>
  number === undefined ? agent : `${agent} #${number}`;

/** An agent that is connected to the window. */
export interface ConnectedAgent extends NamedAgent {
  /** Unique in the window; a connection that resumes a session has that session's. */
  id: number;
}
