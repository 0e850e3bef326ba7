/** Merges sorted lists lazily. */
export function* mergeSorted<T>(lists: readonly Iterable<T>[], key: (item: T) => string): Generator<T> {
  const iterators = lists.map((list) => list[Symbol.iterator]());
  const heads = iterators.map((iterator) => iterator.next());
  for (;;) {
    let first = -1;
    for (const [index, head] of heads.entries()) {
      const best = heads[first];
      if (!head.done && (!best || best.done || key(head.value) < key(best.value))) first = index;
    }
    const [head, iterator] = [heads[first], iterators[first]];
    if (!head || head.done || !iterator) return;
    yield head.value;
    heads[first] = iterator.next();
  }
}
