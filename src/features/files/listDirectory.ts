import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { page } from '../../core/page.ts';
import { fitting } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import type { Child } from '../../workspace/list/children.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';

export const listDirectory = defineReadTool({
  name: 'list_directory',
  title: 'List folder',
  description:
    'Lists a workspace folder: folders with a slash, files with their size in bytes. Use it to look around. Skips ignored files.',
  group: 'files',
  input: z.strictObject({
    path: z.string().default('.').describe('"." lists the workspace folders, or the only one'),
    limit: args.limit(500),
    cursor: args.cursor,
  }),
  async run({ path, limit, cursor }, { files }, { signal }) {
    const folders = files.folders();
    // Paths are relative to the only workspace folder. With several folders, they start with the folder's name.
    if (/^\.?\/?$/.test(path) && path !== '/' && folders.length !== 1)
      return text(await topOf(files, signal));
    const location = await files.locateMeant(path || '.');
    const stat = await files.stat(location);
    if (!stat?.isFolder) throw new UserError(`${location.path} is not a folder. Use read_file.`);
    const { children: found, isIgnored } = await files.children(location, signal);
    const children = [...found].sort((a, b) => (label(a) < label(b) ? -1 : 1));
    if (children.length === 0)
      return text(`${visible(location.path)} ${isIgnored ? 'has nothing that agents may see' : 'is empty'}.`);
    const shown = (rest: readonly Child[]) => fitting(rest, args.DEFAULT_CHARACTERS, sizeOf, limit);
    const { items, nextCursor } = page('list_directory', children, label, cursor, shown);
    const lines = (await Promise.all(items.map((child) => described(child, files)))).flat();
    const rest = nextCursor && `${children.length} entries. For more pass cursor "${nextCursor}".`;
    return text(
      lines.map(visible).join('\n'),
      location.note,
      rest,
      isIgnored && location.folder ? IGNORED : undefined,
    );
  },
});

const IGNORED = 'This folder is ignored or excluded: searches skip it unless include names it.';

/** The workspace folders, without those outside the client's roots. */
async function topOf(files: Context['files'], signal: AbortSignal): Promise<string> {
  const list = await files.list(signal);
  const folders = files.folders().filter(({ uri }) => files.mayKnow(uri) || list.holds(uri));
  const names = folders.map(({ uri }) => files.displayPath(uri));
  return (
    names.map((name) => visible(name.endsWith('/') ? name : `${name}/`)).join('\n') ||
    (files.folders().length > 0
      ? 'Everything in this window is closed to agents or outside the roots that your client declared.'
      : 'No folder is open in this window.')
  );
}

const label = ({ name, isFolder }: Child): string => (isFolder ? `${name}/` : name);

/** UTF-16 units of its line, with room for the size in bytes, which is not known yet. */
const sizeOf = (child: Child): number => label(child).length + ' (10485760)\n'.length;

/** Empty if it was deleted after it was listed. */
async function described(child: Child, files: Context['files']): Promise<string[]> {
  if (child.isLink) return linkOf(child, files);
  const found = await files.look(child);
  if (!found) return [];
  return [child.isFolder || found.size === undefined ? label(child) : `${label(child)} (${found.size})`];
}

/** Empty if it leads to nothing that this agent may see. */
async function linkOf({ name, uri }: Child, files: Context['files']): Promise<string[]> {
  const { targetUri } = (await files.permitted(uri)) ?? {};
  if (!targetUri) return [];
  const stat = await files.stat({ uri: targetUri });
  return [`${name} -> ${files.displayPath(targetUri)}${stat?.isFolder ? '/' : ''}`];
}
