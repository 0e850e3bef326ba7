/** Whether the words of a command, also with variables, start a shim at one of its usual paths, or the given one. */
export const startsShim = (words: readonly string[], installed?: string): boolean =>
  words.some((word) => word === installed || /workspace-mcp[^\\/]*([\\/]dist)?[\\/]shim\.js\b/i.test(word));
