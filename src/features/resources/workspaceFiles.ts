import type { ReadResourceResult } from '@modelcontextprotocol/server';
import type { Content } from '../../access/content.ts';
import type { ListedFile } from '../../access/listedFile.ts';
import type { Location } from '../../access/locate.ts';
import { visible } from '../../core/visible.ts';
import { type Completion, type Context, completion, type ResourceProvider } from '../define.ts';
import { FOLDER_TYPE, mimeTypeOf } from '../mimeType.ts';
import { listFiles } from './fileResources.ts';

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

  list: (ctx, { signal }) => listFiles(ctx, signal),

  async read(uri, ctx, { signal, makeRoom }) {
    const folders = ctx.files.folders();
    const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase();
    if (scheme !== 'file' && !folders.some((folder) => folder.uri.scheme === scheme)) return undefined;
    const location = await ctx.files.locateUri(uri);
    return shape(uri, location, await ctx.files.read(location, makeRoom), ctx, signal);
  },

  async canonical(uri, ctx) {
    return (await ctx.files.locateUri(uri)).uri.toString();
  },

  async complete(template, argument, ctx, { signal }) {
    if (template !== TEMPLATE) return undefined;
    return argument.name === 'path' ? completePath(argument.value, ctx, signal) : completion([]);
  },

  watch(ctx, onList, onContent) {
    return ctx.files.watch(onList, (uri) => onContent(uri.toString()));
  },
};

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
async function completePath(value: string, ctx: Context, signal: AbortSignal): Promise<Completion> {
  const begun = asTyped(value).replace(/^\/+/, '');
  const found = new Set<string>();
  const pathOf = ({ uriPath }: ListedFile) => escaped(uriPath.slice(1));
  const files = await ctx.files.list(signal);
  for (const path of files.filter((file) => pathOf(file).startsWith(begun)).map(pathOf)) {
    const slash = path.indexOf('/', begun.length);
    found.add(slash < 0 ? path : path.slice(0, slash + 1));
  }
  const [only] = found;
  // A single folder is no choice: go on to what lies in it.
  if (found.size === 1 && only?.endsWith('/') && only !== begun) return completePath(only, ctx, signal);
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
