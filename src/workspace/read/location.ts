import type * as vscode from 'vscode';
import type { Policy } from '../../access/policy.ts';
import type { AccessInputs } from '../../access/policyInputs.ts';
import type { AgentPlace } from '../place.ts';

/** What the policy said of a file or folder: that it is open. */
export interface AccessVerdict {
  /** `Policy.verdicts` of that moment: while it is the same object, the verdict stands. */
  of: object;
  /** Bytes that agents may read: the smallest limit of all its names. */
  maxBytes: number;
}

/** A file or folder that the policy allows, by its name and by where that leads. */
export interface Location {
  uri: vscode.Uri;
  /** As results name it: relative to its workspace folder, prefixed with the folder's name if there are several. */
  path: string;
  folder?: vscode.WorkspaceFolder;
  /** A sentence on its name, if that is not exactly the one that was asked for. */
  note?: string;
  /** Absolute, all links resolved. Undefined in a virtual file system, and if the file is not on the disk. */
  realPath?: string;
  /** VS Code's URI of the link target, if it differs from `uri`. */
  targetUri?: vscode.Uri;
  verdict: AccessVerdict;
}

export interface Locator {
  /** As the agent sees it: see `codeAt`. */
  vscode: typeof vscode;
  inputs: AccessInputs;
  policy: Policy;
  place: AgentPlace;
}
