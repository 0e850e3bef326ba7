import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { shellOf } from '../../core/shell.ts';
import type { Questions } from '../../hosting/servers/editorAnswers.ts';
import type { Hosting } from '../../hosting/servers/hosting.ts';
import { stableShimPath } from '../../ipc/installedShim.ts';
import { stateDirectory } from '../../ipc/windowRecord.ts';
import type { Log } from '../../util/log.ts';

/** Where the processes of a window's hosted servers are recorded. @param id of the window */
export const processRecord = (id: string): string => join(stateDirectory(), 'hosted', `${id}.json`);

/**
 * The hosted servers of this window.
 *
 * @param HostingClass from the bundle that has the protocol
 * @param id of the window
 * @param questions to the user
 */
export function createHosting(
  HostingClass: typeof Hosting,
  context: vscode.ExtensionContext,
  id: string,
  log: Log,
  questions: () => Promise<Questions>,
): Hosting {
  const home = stateDirectory();
  mkdirSync(join(home, 'hosted'), { recursive: true, mode: 0o700 });
  return new HostingClass({
    vscode,
    store: context.globalState,
    secrets: context.secrets,
    // As a text: a Uri may encode it in another way.
    openExternal: (url) => vscode.env.openExternal(url as never),
    externalUrl: async (url) => (await vscode.env.asExternalUri(vscode.Uri.parse(url))).toString(true),
    globalStorage: context.globalStorageUri.scheme === 'file' ? context.globalStorageUri.fsPath : undefined,
    processes: processRecord(id),
    shim: stableShimPath(home),
    shell: shellOf(vscode.env.shell, process.platform),
    version: context.extension.packageJSON.version,
    questions,
    log,
  });
}
