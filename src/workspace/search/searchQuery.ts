export interface SearchQuery {
  query: string;
  isRegex: boolean;
  caseSensitive: boolean;
  wholeWord: boolean;
  /** Globs relative to a folder. */
  include: readonly string[];
  exclude: readonly string[];
  /** Lines shown before and after a hit. */
  contextLines: number;
  /** Called if files are left out because redacting them takes too long. */
  onSlow?(): void;
}
