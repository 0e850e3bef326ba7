/**
 * The directory in which VS Code keeps the data of its user, by that of an extension's global storage:
 * `<data>/User/globalStorage/<extension>`, or `<data>/User/profiles/<profile>/globalStorage/<extension>`. The storage itself where
 * it lies elsewhere.
 */
export const userDataOf = (globalStorage: string): string =>
  /^(.+)[\\/]User[\\/](profiles[\\/][^\\/]+[\\/])?globalStorage[\\/][^\\/]+$/.exec(globalStorage)?.[1] ??
  globalStorage;
