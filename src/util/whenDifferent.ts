/** Returns a function that calls back if the value is another one than last time, or than at first. */
export function whenDifferent(value: () => unknown, changed: () => void): () => void {
  let known = value();
  return () => {
    const before = known;
    known = value();
    if (known !== before) changed();
  };
}
