/** Runs over all items, `atOnce` at a time. Results are in the items' order. Rejects with the first failure. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const work = async () => {
    for (const [index, item] of rest) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return results;
}
