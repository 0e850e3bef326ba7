/** A patch of one file. Without `from` it creates a file, without `to` it deletes one; two names are a rename or a copy. */
export interface FilePatch {
  from?: string;
  to?: string;
  /** `from` stays. */
  isCopy?: true;
  hunks: readonly Hunk[];
}

/** Adjacent lines of a file, before and after. */
export interface Hunk {
  /** 1-based line of the patch, for messages. */
  line: number;
  /** 0-based line of the old file that the patch states; undefined if it states none. */
  start?: number;
  /** Lines somewhere above the hunk, without white space around them, outermost first. */
  anchors: readonly string[];
  /** The file ends with it. */
  isAtEnd: boolean;
  lines: readonly HunkLine[];
}

export interface HunkLine {
  kind: ' ' | '-' | '+';
  text: string;
  /** It is the last line of its file, which ends without a newline. */
  isUnended?: true;
}

export const oldLines = ({ lines }: Hunk): HunkLine[] => lines.filter(({ kind }) => kind !== '+');
export const newLines = ({ lines }: Hunk): HunkLine[] => lines.filter(({ kind }) => kind !== '-');

/** The lines of a patch, and the index of the next one to read. */
export interface PatchReader {
  readonly lines: readonly string[];
  at: number;
}
