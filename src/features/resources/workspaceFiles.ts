import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import type { Content } from '../../access/content.ts';
import type { ListedFile } from '../../access/listing.ts';
import type { Location } from '../../access/locate.ts';
import { visible } from '../../core/visible.ts';
import { type Completion, type Context, completion, type Listed, type ResourceProvider } from '../define.ts';
import { FOLDER_TYPE, mimeTypeOf } from '../mimeType.ts';

const TEMPLATE = 'file:///{+path}';

/** The files of all workspace folders, and the folders themselves. */
export const workspaceFiles: ResourceProvider = {
  templates: [
    {
      uriTemplate: TEMPLATE,
      name: 'file',
      title: 'File or folder',
      description:
        'A file of the workspace as the editor has it, unsaved text included, or the names in a folder.',
    },
  ],

  async list(ctx, { signal }) {
    const files = await ctx.files.list(signal);
    const folders = ctx.files
      .folders()
      .map((folder) => ({ uri: folder.uri.toString(), describe: async () => describeFolder(folder) }));
    return [...folders, ...files.map((file) => listed(ctx, file))].sort((a, b) => (a.uri < b.uri ? -1 : 1));
  },

  async read(uri, ctx, { signal, makeRoom }) {
    if (!isFile(uri, ctx)) return undefined;
    const location = await ctx.files.locateUri(uri);
    return shape(uri, location, await ctx.files.read(location, makeRoom), ctx, signal);
  },

  canonical(uri, ctx) {
    return isFile(uri, ctx) ? ctx.files.locateUri(uri).then((found) => found.uri.toString()) : undefined;
  },

  async complete(template, argument, ctx, { signal }) {
    if (template !== TEMPLATE) return undefined;
    if (argument.name !== 'path') return completion([]);
    const files = await ctx.files.list(signal);
    const paths = files.map(({ uri }) => uri.path.slice(1));
    return completePath(argument.value.replace(/^\/+/, ''), paths);
  },

  watch(ctx, onList) {
    return ctx.files.watch(onList, () => {});
  },

  follow(ctx, onContent) {
    return ctx.files.watch(
      () => {},
      (uri) => onContent(uri.toString()),
    );
  },
};

function isFile(uri: string, { files }: Context): boolean {
  const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase();
  return scheme === 'file' || files.folders().some((folder) => folder.uri.scheme === scheme);
}

const describeFolder = ({ uri, name }: { uri: { toString(): string }; name: string }): Resource => ({
  uri: uri.toString(),
  name,
  title: name,
  description: 'Workspace folder',
  mimeType: FOLDER_TYPE,
  annotations: { audience: ['assistant', 'user'], priority: 1 },
});

const listed = (ctx: Context, file: ListedFile): Listed => ({
  uri: file.key,
  async describe() {
    const stat = await ctx.files.stat(file);
    if (!stat) return undefined; // gone since it was listed
    const mimeType =
      mimeTypeOf(file.path) ??
      ((await ctx.files.looksLikeText(file)) ? 'text/plain' : 'application/octet-stream');
    return {
      uri: file.key,
      name: file.path,
      mimeType,
      size: stat.size,
      annotations: {
        audience: ['assistant', 'user'],
        priority: 0.5,
        lastModified: stat.modifiedAt.toISOString(),
      },
    };
  },
});

async function shape(
  uri: string,
  location: Location,
  content: Content,
  ctx: Context,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const known = mimeTypeOf(location.path);
  if (content.kind === 'text')
    return { contents: [{ uri, mimeType: known ?? 'text/plain', text: content.text }] };
  if (content.kind === 'folder') {
    return { contents: [{ uri, mimeType: FOLDER_TYPE, text: await namesIn(location, ctx, signal) }] };
  }
  const blob = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength).toString(
    'base64',
  );
  return { contents: [{ uri, mimeType: known ?? 'application/octet-stream', blob }] };
}

/** One name a line, folders with a slash, without what is ignored or closed. */
async function namesIn(location: Location, { files }: Context, signal: AbortSignal): Promise<string> {
  const children = await files.children(location, signal);
  return children.map(({ name, isFolder }) => `${visible(name)}${isFolder ? '/' : ''}\n`).join('');
}

/** The next part of every path that begins so: folders end with a slash and complete further. */
export function completePath(value: string, paths: readonly string[]): Completion {
  const begun = asTyped(value);
  const found = new Set<string>();
  for (const one of paths) {
    const path = escaped(one);
    if (!path.startsWith(begun)) continue;
    const slash = path.indexOf('/', begun.length);
    found.add(slash < 0 ? path : path.slice(0, slash + 1));
  }
  const [only] = found;
  // A single folder is no choice: go on to what lies in it.
  if (found.size === 1 && only?.endsWith('/') && only !== begun) return completePath(only, paths);
  return completion([...found].sort());
}

/** A path as a value of `{+path}`, which keeps what a URI would take for something else (RFC 6570, 3.2.3). */
const escaped = (path: string): string => path.replace(/[%#?]/g, encodeURIComponent);

/** The beginning of such a value as `escaped` has it. At its end half an escape may stand; any other bare % is a name's. */
const asTyped = (value: string): string =>
  value.replace(/(?:%[\da-f]{2})+|%[\da-f]?$|[%#?]/gi, (part, at: number) => {
    if (/^%.?$/.test(part) && at + part.length === value.length) return part.toUpperCase();
    return escaped(decoded(part));
  });

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes; // no character, as yet
  }
}
