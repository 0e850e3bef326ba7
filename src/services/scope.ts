import type * as vscode from 'vscode';
import type { Files } from '../workspace/files.ts';

/** What a service works on: the editor, and the files that one agent may use. */
export interface Scope {
  vscode: typeof vscode;
  files: Files;
}
