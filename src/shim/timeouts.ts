/** Time limits, in milliseconds. */
export interface Times {
  /** First search for a window. Then the agent is greeted without one, because clients give up on a silent server. */
  greeting: number;
  /** Requests wait this long for a closed window. A reload takes 2 to 4 s. */
  return: number;
  /** Only the same window is accepted, or one opened since. */
  sameWindow: number;
  /** For a window to resume the session: it may be frozen. */
  open: number;
  /** For the window to answer requests in flight after stdin has ended. */
  drain: number;
  /** Without progress while the agent is paused because the window does not read. */
  hold: number;
  /** Between two checks of the records: `soon` while requests wait, else `later`. */
  soon: number;
  later: number;
  /** Between two searches if no record has changed: a stuck window may answer again. */
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
