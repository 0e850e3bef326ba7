/** What a function returns; undefined if it throws. For calls of which the failure is an answer. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
