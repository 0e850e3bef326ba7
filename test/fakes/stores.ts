/** What an extension stores with VS Code, in memory. */

/** The state of a window, or of all windows. */
export const memento = (kept = new Map<string, unknown>()) => ({
  get: <T>(key: string, otherwise?: T) => (kept.get(key) ?? otherwise) as T,
  update: async (key: string, value: unknown) =>
    void kept.set(key, value && JSON.parse(JSON.stringify(value))),
  keys: () => [...kept.keys()],
});

export const secretStorage = (kept = new Map<string, string>()) => ({
  get: async (key: string) => kept.get(key),
  store: async (key: string, value: string) => void kept.set(key, value),
  delete: async (key: string) => void kept.delete(key),
});
