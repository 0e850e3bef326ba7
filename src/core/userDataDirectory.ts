/**
 * VS Code's user data directory, from the global storage of an extension: `<data>/User/globalStorage/<extension>`, or
 * `<data>/User/profiles/<profile>/globalStorage/<extension>`. The storage directory itself if its path has neither form.
 */
export const userDataOf = (globalStorage: string): string =>
  /^(.+)[\\/]User[\\/](profiles[\\/][^\\/]+[\\/])?globalStorage[\\/][^\\/]+$/.exec(globalStorage)?.[1] ??
  globalStorage;
