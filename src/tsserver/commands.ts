/** What VS Code's TypeScript extension passes on to our plugin in its server. */

export const TSSERVER_REQUEST = 'typescript.tsserverRequest';

/** The edits of imports for a move, as `FileCodeEdits` of tsserver's protocol. Only names with `_` in front are passed on. */
export const EDITS_FOR_MOVE = '_workspaceMcp.editsForMove';
/** Says that a move comes whose imports are updated already. */
export const OWN_MOVE = '_workspaceMcp.ownMove';

/** Which files are in no project that the server has loaded. */
export const NOT_LOADED = '_workspaceMcp.notLoaded';

/** Which files, after the first, are in no project with the first: they see what is built from it, if they use it. */
export const SEEN_AS_BUILT = '_workspaceMcp.seenAsBuilt';

/** The imports of files that lead to nothing, as `UnresolvedImport`. */
export const UNRESOLVED = '_workspaceMcp.unresolved';

export interface UnresolvedImport {
  /** Absolute path. */
  file: string;
  specifier: string;
  /** What is imported, by its own name; `*` for all. */
  names: string[];
}

/** The errors of one configuration, as `ServerDiagnostic`. */
export const CONFIG_ERRORS = '_workspaceMcp.configErrors';

/** As in tsserver's protocol: lines and offsets are 1-based. */
export interface ServerDiagnostic {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
  text: string;
  code?: number;
  category: 'error' | 'warning' | 'suggestion' | 'message';
}

/** Absolute paths. */
export interface FilesArguments {
  files: string[];
}

/** Arguments of the first two: absolute paths of a file or folder. */
export interface MoveArguments {
  oldFilePath: string;
  newFilePath: string;
}

/** Whether TypeScript updates imports if this file is moved. */
export const isScript = ({ path }: { path: string }): boolean => /\.[cm]?[jt]sx?$/.test(path);
