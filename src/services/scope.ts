import type * as vscode from 'vscode';
import type { Files } from '../workspace/files.ts';

/** Dependencies of a service: VS Code's API, and the files that one agent may use. */
export interface Scope {
  vscode: typeof vscode;
  files: Files;
}
