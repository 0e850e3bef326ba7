import type * as vscode from 'vscode';
import type { Policy } from '../../access/policy.ts';
import type { World } from '../../access/policyInputs.ts';

/** A file or folder that the policy has let pass. */
export interface Location {
  uri: vscode.Uri;
  /** As results name it: relative to its workspace folder, with the folder's name in front where there are several. */
  path: string;
  folder?: vscode.WorkspaceFolder;
  /** Absolute, all links resolved. Undefined in a virtual file system, and for a text that is not on the disk. */
  realPath?: string;
  /** What VS Code calls the file that links lead to, where that is another one than `uri`. */
  targetUri?: vscode.Uri;
}

export interface Locator {
  vscode: typeof vscode;
  world: World;
  policy: Policy;
}
