/** What the system's words for a failure mean to a person, and what they can do. */
const REMEDIES: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space there.',
  EDQUOT: 'Your quota on this disk is used up. Free some space there.',
  EROFS: 'The file system is read-only. WORKSPACE_MCP_HOME names another place for the state directory.',
  EACCES: 'You are not allowed to do that there. Change the owner or the mode of the directory.',
  EPERM: 'You are not allowed to do that there. Change the owner or the mode of the directory.',
  ENOENT: 'A directory on the way there is missing, and cannot be made.',
  ENOTDIR: 'What should be a directory there is a file. Move it away.',
  EISDIR: 'What should be a file there is a directory. Move it away.',
  EMFILE: 'Too many files are open in this program. Close some, or reload the window.',
};

/**
 * A failure of the file system in words that say what to do, with the system's own behind them; others as they are.
 *
 * @param place where it happened: the system does not always say it
 */
export function explained(error: unknown, place = ''): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const remedy = code === undefined ? undefined : REMEDIES[code];
  if (remedy === undefined || !message.includes(code ?? '')) return error as Error;
  const words = message.includes(place) ? message : `${message}, in ${place}`;
  return Object.assign(new Error(`${remedy} (${words})`, { cause: error }), { code });
}
