/** Returns a function that calls `changed` if the value differs from the last call, or from the start. */
export function whenDifferent(value: () => unknown, changed: () => void): () => void {
  let known = value();
  return () => {
    const before = known;
    known = value();
    if (known !== before) changed();
  };
}
