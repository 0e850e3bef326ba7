/** A pattern that is made when it is first used: with Unicode classes, V8 takes up to a millisecond in each process. Pure, for bundles without it. */
export function lazyPattern(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
