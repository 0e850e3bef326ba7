import type * as vscode from 'vscode';

/** A path at which nothing is yet, and where this agent may create something. */
export interface Target {
  uri: vscode.Uri;
  /** As results name it. */
  path: string;
  /** What its path will be with all links resolved. Undefined in a virtual file system. */
  realPath?: string;
}
