/** What VS Code's TypeScript extension passes on to our plugin in its server. */

export const TSSERVER_REQUEST = 'typescript.tsserverRequest';

/** The edits of imports for a move, as `FileCodeEdits` of tsserver's protocol. Only names with `_` in front are passed on. */
export const EDITS_FOR_MOVE = '_workspaceMcp.editsForMove';
/** Says that a move comes whose imports are updated already. */
export const OWN_MOVE = '_workspaceMcp.ownMove';

/** Arguments of both: absolute paths of a file or folder. */
export interface MoveArguments {
  oldFilePath: string;
  newFilePath: string;
}

/** Whether TypeScript updates imports if this file is moved. */
export const isScript = ({ path }: { path: string }): boolean => /\.[cm]?[jt]sx?$/.test(path);
