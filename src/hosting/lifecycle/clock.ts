/** Time as tests replace it. */
export interface Clock {
  /** Milliseconds from any start. */
  now(): number;
  /** Calls back once after so many milliseconds. @returns a function that prevents it */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
