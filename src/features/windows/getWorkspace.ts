import * as z from 'zod';
import { fitting } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { allTabs, uriOf } from '../../util/tabs.ts';
import { data, defineReadTool } from '../tool.ts';
import { folders } from './selectWindow.ts';

const output = z.object({
  window: z.string(),
  folders,
  workspaceFile: z.string().optional(),
  trusted: z.boolean().describe('If false, agents can only read'),
  activeFile: z.string().optional(),
  openFiles: z.array(z.string()),
  leftOut: z.number().optional().describe('Open files that did not fit'),
  unsavedFiles: z.array(z.string()),
  problems: z
    .object({ errors: z.number(), warnings: z.number() })
    .describe('Reported so far, mostly for open files'),
  editor: z.string(),
});

/** Most UTF-16 units for the names of open files. */
const MOST_OPEN = 10_000;

export const getWorkspace = defineReadTool({
  name: 'get_workspace',
  title: 'VS Code workspace',
  description:
    'Gets the VS Code window: workspace folders, open and unsaved files, number of problems. Call it first, once.',
  group: 'context',
  hints: { search: 'workspace folders, open and unsaved files in the VS Code editor' },
  input: z.strictObject({}),
  output,
  async run(_args, { vscode, files, language, window }) {
    const { workspace, env } = vscode;
    const shown = async (uris: Iterable<import('vscode').Uri>) =>
      (await Promise.all([...uris].map((uri) => files.permitted(uri)))).flatMap(
        (location) => location?.path ?? [],
      );
    const tabs = allTabs(vscode).flatMap((tab) => uriOf(tab) ?? []);
    const active = vscode.window.activeTextEditor?.document.uri;
    const unsaved = workspace.textDocuments.filter((document) => document.isDirty);
    const [activeFile] = active ? await shown([active]) : [];
    const { workspaceFile: own } = workspace;
    const workspaceFile = own && !files.isClosed(own) ? own.fsPath : undefined;
    const openFiles = [...new Set(await shown(tabs))];
    const count = fitting(openFiles, MOST_OPEN, (path) => path.length + 3);
    const known = language.all().filter(([uri]) => files.mayKnow(uri));
    const severities = known.flatMap(([, problems]) => problems.map(({ severity }) => severity));
    const countOf = (wanted: number) => severities.filter((severity) => severity === wanted).length;
    const result: z.output<typeof output> = {
      window: window.id(),
      folders: files
        .shownFolders()
        .map(({ name, uri }) => ({ name, path: uri.scheme === 'file' ? uri.fsPath : uri.toString() })),
      ...(workspaceFile && { workspaceFile }),
      trusted: workspace.isTrusted,
      ...(activeFile && { activeFile }),
      openFiles: openFiles.slice(0, count),
      ...(count < openFiles.length && { leftOut: openFiles.length - count }),
      unsavedFiles: await shown(unsaved.map(({ uri }) => uri)),
      problems: { errors: countOf(0), warnings: countOf(1) },
      editor: `${env.appName} ${vscode.version}`,
    };
    return data(result, describe(result));
  },
});

function describe(result: z.output<typeof output>): string {
  const { folders, activeFile, openFiles, leftOut, unsavedFiles, problems } = result;
  const list = (names: string[]) => names.map(visible).join(', ') || 'none';
  return [
    `${result.editor}, window ${result.window}${result.trusted ? '' : ', not trusted: agents may only read'}`,
    `Folders: ${list(folders.map(({ name, path }) => `${name} (${path})`))}`,
    `Active file: ${visible(activeFile ?? 'none')}`,
    `Open: ${list(openFiles)}${leftOut ? ` and ${leftOut} more` : ''}`,
    `Unsaved: ${list(unsavedFiles)}`,
    `Problems: ${problems.errors} errors, ${problems.warnings} warnings reported so far, mostly on open tabs. get_diagnostics checks other files`,
  ].join('\n');
}
