import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { countLines, sliceLines } from '../../core/text/lines.ts';
import { visible } from '../../core/text/visible.ts';
import { whenDifferent } from '../../util/events.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { ShownContent } from '../../workspace/read/readContent.ts';
import { type Context, completion } from '../context.ts';
import type { OnContent, ResourceProvider } from '../resource.ts';
import { completePath } from './completePath.ts';
import { FOLDER_TYPE, listFiles, mimeTypeOf, watchUnsaved } from './fileResources.ts';

const TEMPLATE = 'file:///{+path}';

export const workspaceFiles: ResourceProvider = {
  templates: [
    {
      uriTemplate: TEMPLATE,
      name: 'file',
      title: 'File or folder',
      description:
        'A workspace file by its absolute path, unsaved text included, or the names in a folder. Add #L10-L20 for lines.',
    },
  ],

  list: (ctx, { signal }) => listFiles(ctx, signal),

  async read(uri, ctx, { signal, makeRoom }) {
    if (!isFile(uri, ctx)) return undefined;
    const named = splitLines(uri);
    const location = await ctx.files.locateUri(named.uri);
    const content = await ctx.files.read(location, makeRoom);
    ctx.files.edits.own.saw(location);
    return { contents: [{ uri, ...(await shape(location, content, named.lines, ctx, signal)) }] };
  },

  /** Lines of a file change with the file. */
  canonical(uri, ctx) {
    return isFile(uri, ctx) ? located(uri, ctx) : undefined;
  },

  async complete(template, argument, ctx, { signal }) {
    if (template !== TEMPLATE) return undefined;
    if (argument.name !== 'path') return completion([]);
    const typed = argument.value.replace(/^\/+/, '');
    const all = await ctx.files.list(signal);
    // The template covers only these.
    const onDisk = { [Symbol.iterator]: () => all.from('', ({ key }) => key.startsWith('file:')) };
    return completePath(typed, onDisk, ({ uriPath }) => uriPath.slice(1), signal);
  },

  watch(ctx, onList) {
    const listed = ctx.files.watchList(onList);
    return ctx.vscode.Disposable.from(listed, watchUnsaved(ctx, onList));
  },

  follow(ctx, onContent) {
    const { files, vscode } = ctx;
    const changed = files.watchContent((uri) => onContent(uri.toString()));
    // Closing or redacting a file changes its text for agents.
    const reportAll = () => {
      for (const scheme of schemesOf(ctx)) onContent(`${scheme}:`);
    };
    const ruled = files.watchRules(whenDifferent(() => files.policy.rulesKey(), reportAll));
    return vscode.Disposable.from(changed, ruled);
  },

  followOne: watchOutside,
};

const schemesOf = ({ files }: Context): Set<string> =>
  new Set(['file', 'untitled', ...files.folders().map(({ uri }) => uri.scheme)]);

function isFile(uri: string, ctx: Context): boolean {
  const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase();
  return schemesOf(ctx).has(scheme);
}

async function shape(
  location: Location,
  content: ShownContent,
  lines: NamedLines | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<{ mimeType: string } & ({ text: string } | { blob: string })> {
  const known = mimeTypeOf(location.path);
  if (content.kind === 'text') {
    const notebook = content.notebook?.();
    const text = notebook ?? content.text;
    const mimeType = notebook ? 'text/plain' : (known ?? 'text/plain');
    return { mimeType, text: lines ? linesOf(text, location.path, lines) : text };
  }
  if (lines) throw new UserError(`${location.path} is not text and has no lines. Read it without "#".`);
  if (content.kind === 'folder') return { mimeType: FOLDER_TYPE, text: await namesIn(location, ctx, signal) };
  const { buffer, byteOffset, byteLength } = content.bytes;
  const blob = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { mimeType: known ?? 'application/octet-stream', blob };
}

const LOOKS_AT_ONCE = 16;

/** One name per line, folders with a slash, without ignored, closed or deleted entries. */
async function namesIn(location: Location, { files }: Context, signal: AbortSignal): Promise<string> {
  const { children } = await files.children(location, signal);
  const found = await inParallel(children, LOOKS_AT_ONCE, (child) => files.look(child));
  return children
    .filter((_, index) => found[index])
    .map(({ name, isFolder }) => `${visible(name)}${isFolder ? '/' : ''}\n`)
    .join('');
}

/** VS Code watches only workspace folders. Outside them (`access.allowedPaths`), this watches a file or a folder's direct entries. */
function watchOutside(keys: readonly string[], { vscode, files }: Context, onContent: OnContent) {
  const { Disposable, RelativePattern, Uri, workspace } = vscode;
  const outside = keys
    .map((key) => Uri.parse(key))
    .filter((uri) => uri.scheme === 'file' && !workspace.getWorkspaceFolder(uri));
  if (outside.length === 0) return undefined;
  const report = (uri: vscode.Uri) => {
    if (files.mayKnow(uri)) onContent(uri.toString());
  };
  const patterns = outside.flatMap((uri) => [
    new RelativePattern(Uri.joinPath(uri, '..'), posix.basename(uri.path)),
    new RelativePattern(uri, '*'),
  ]);
  const watchers = patterns.map((pattern) => workspace.createFileSystemWatcher(pattern));
  const events = watchers.flatMap((one) => [
    one.onDidChange(report),
    one.onDidCreate(report),
    one.onDidDelete(report),
  ]);
  return Disposable.from(...events, ...watchers);
}

/** The keys of a link and of its target: a change to either is reported for the URI that was subscribed to. */
async function located(uri: string, { files }: Context): Promise<string | string[]> {
  const { uri: named, targetUri } = await files.locateUri(splitLines(uri).uri);
  return targetUri ? [named.toString(), targetUri.toString()] : named.toString();
}

/** The lines in the fragment of a URI: `#L10` or `#L10-L20`, 1-based, inclusive. */
interface NamedLines {
  first: number;
  last: number;
}

const FRAGMENT = /^L([1-9]\d*)(?:-L?([1-9]\d*))?$/;

/**
 * A URI without its fragment, and the lines in the fragment, if there is one.
 *
 * @throws UserError if the fragment is not a line range
 */
function splitLines(uri: string): { uri: string; lines?: NamedLines } {
  const at = uri.indexOf('#');
  if (at < 0) return { uri };
  const fragment = uri.slice(at + 1);
  const [, first, last = first] = FRAGMENT.exec(fragment) ?? [];
  const lines = { first: Number(first), last: Number(last) };
  if (first === undefined)
    throw new UserError(
      `"#${visible(fragment)}" is not a line range. Write #L10 or #L10-L20, and a "#" in a file name as %23.`,
    );
  if (lines.last < lines.first)
    throw new UserError(`"#${fragment}" ends before it starts. Put the first line first.`);
  return { uri: uri.slice(0, at), lines };
}

/** @throws UserError if the text has no such lines */
function linesOf(text: string, path: string, { first, last }: NamedLines): string {
  const total = countLines(text);
  if (first > total) throw new UserError(`${path} has ${total} lines; line ${first} is past its end.`);
  return sliceLines(text, first, last);
}
