import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import { uriOf } from '../../util/tabs.ts';
import { data, defineTool, LOOKS_ONLY } from '../tool.ts';
import { folders } from './folders.ts';

const output = z.object({
  window: z.string().describe('Id of the VS Code window'),
  folders,
  workspaceFile: z.string().optional(),
  trusted: z.boolean().describe('False: agents may only read'),
  activeFile: z.string().optional().describe('The file in front of the person'),
  openFiles: z.array(z.string()).describe('Files in editor tabs'),
  unsavedFiles: z.array(z.string()).describe('Files with text that is not on the disk yet'),
  problems: z.object({ errors: z.number(), warnings: z.number() }),
  editor: z.string().describe('Name and version'),
});

/** Which project this is, and what the person has in front of them. */
export const getWorkspace = defineTool({
  name: 'get_workspace',
  title: 'Workspace',
  description:
    'Tells which workspace folders this VS Code window has open, which files the person has open or has not saved yet, and how many problems are reported. Call it first.',
  group: 'context',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({}),
  output,
  async run(_args, { vscode, files, language, window }) {
    const { workspace, env } = vscode;
    const shown = async (uris: Iterable<import('vscode').Uri>) =>
      (await Promise.all([...uris].map((uri) => files.permitted(uri)))).flatMap(
        (location) => location?.path ?? [],
      );
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap((tab) => uriOf(tab) ?? []);
    const active = vscode.window.activeTextEditor?.document.uri;
    const unsaved = workspace.textDocuments.filter((document) => document.isDirty);
    const [activeFile] = active ? await shown([active]) : [];
    const workspaceFile = workspace.workspaceFile?.fsPath;
    const result: z.output<typeof output> = {
      window: window.id(),
      folders: files
        .toldFolders()
        .map(({ name, uri }) => ({ name, path: uri.scheme === 'file' ? uri.fsPath : uri.toString() })),
      ...(workspaceFile && { workspaceFile }),
      trusted: workspace.isTrusted,
      ...(activeFile && { activeFile }),
      openFiles: [...new Set(await shown(tabs))],
      unsavedFiles: await shown(unsaved.map(({ uri }) => uri)),
      problems: countProblems(language.all().filter(([uri]) => files.mayTellOf(uri))),
      editor: `${env.appName} ${vscode.version}`,
    };
    return data(result, describe(result));
  },
});

function countProblems(all: readonly [unknown, readonly { severity: number }[]][]): {
  errors: number;
  warnings: number;
} {
  const severities = all.flatMap(([, list]) => list.map(({ severity }) => severity));
  return {
    errors: severities.filter((severity) => severity === 0).length,
    warnings: severities.filter((severity) => severity === 1).length,
  };
}

function describe({
  folders,
  trusted,
  activeFile,
  openFiles,
  unsavedFiles,
  problems,
  editor,
  window,
}: z.output<typeof output>): string {
  const list = (names: string[]) => names.map(visible).join(', ') || 'none';
  return [
    `${editor}, window ${window}${trusted ? '' : ', not trusted: agents may only read'}`,
    `Folders: ${list(folders.map(({ name, path }) => `${name} (${path})`))}`,
    `In front: ${visible(activeFile ?? 'none')}`,
    `Open: ${list(openFiles)}`,
    `Unsaved: ${list(unsavedFiles)}`,
    `Problems: ${problems.errors} errors, ${problems.warnings} warnings`,
  ].join('\n');
}
