/** An object of which some members are read again each time. */
export function live(read: Record<string, () => unknown>, members: object): object {
  const properties = Object.entries(read).map(([name, get]) => [name, { get, enumerable: true }] as const);
  return strict(Object.defineProperties(members, Object.fromEntries(properties)));
}

/** Reading a missing member throws: the fake is too thin for the test, or the feature uses more than before. */
export function strict<T extends object>(members: T): T {
  return new Proxy(members, {
    get(target, name, receiver) {
      if (name in target || typeof name === 'symbol' || name === 'then')
        return Reflect.get(target, name, receiver);
      throw new Error(`The fake of VS Code has no "${name}".`);
    },
  });
}
