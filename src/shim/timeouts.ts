/** How long things may take, in milliseconds. */
export interface Times {
  /** The first look for a window, before an agent is greeted without one: clients give up on a server that is silent. */
  greeting: number;
  /** Requests wait so long for a window that has gone: a reload takes two to four seconds. */
  return: number;
  /** Nothing but that window is waited for, or one that was opened since. */
  sameWindow: number;
  /** A window goes on with the session: it may be frozen. */
  open: number;
  /** The window answers what is in flight when the agent has sent its last. */
  drain: number;
  /** The agent is held because the window does not read. */
  hold: number;
  /** Between two looks at the records: while requests wait, and while none do. */
  soon: number;
  later: number;
  /** Between two tries to reach windows although no record has changed: one that was stuck may answer again. */
  retrySoon: number;
  retryLater: number;
}

export const TIMES: Times = {
  greeting: 1_500,
  return: 30_000,
  sameWindow: 10_000,
  open: 10_000,
  drain: 60_000,
  hold: 1_000,
  soon: 50,
  later: 1_000,
  retrySoon: 500,
  retryLater: 5_000,
};
