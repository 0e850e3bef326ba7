import type { Resource } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { ifUserError, UserError } from '../core/errors.ts';
import { type Call, type Context, completion } from './context.ts';
import { completePath } from './files/completePath.ts';
import type { ResourceProvider } from './resource.ts';

/** Sorts before `file:`, so these few resources are on the first page, not after 100,000 files. */
const ROOT = 'editor-state:///';

const JSON_TYPE = 'application/json';

/** State of VS Code as a resource: of the whole window, of one file, or both. */
export interface EditorResource {
  /** The URI is `editor-state:///name`; for one file `editor-state:///name/path`, with the path as in tools. */
  name: string;
  all?: {
    title: string;
    description: string;
    /** From 0 to 1 (MCP). */
    priority: number;
    lastModified?(ctx: Context): Date | undefined;
    /** The data that the tool of that kind returns. @throws UserError */
    read(ctx: Context, call: Call): Promise<object> | object;
  };
  ofFile?: {
    title: string;
    description: string;
    /** Used if `read` returns text; objects are JSON. */
    mimeType?: string;
    /** Replaces `files.locate` if the path may be a file that no longer exists. @throws UserError, NotFoundError */
    locate?(path: string, ctx: Context): Promise<{ uri: vscode.Uri; targetUri?: vscode.Uri }>;
    read(path: string, ctx: Context, call: Call): Promise<object | string>;
  };
  /** @throws UserError if this agent cannot read it or subscribe to it here */
  require?(ctx: Context): Promise<void> | void;
  /** Whether it is in the list. By default, it is if `require` does not throw. */
  isListed?(ctx: Context): boolean;
  /** Calls back when it enters or leaves the list. */
  watch?(ctx: Context, onList: () => void): vscode.Disposable;
  follow(ctx: Context, report: Report): vscode.Disposable;
}

/** Reports a change. `all`: everything; `of`: a file or folder, and so the whole; `only`: a file, but not the whole. */
export type Report = Record<'of' | 'only', (uri: vscode.Uri) => void> & { all(): void };

export function editorResource(resource: EditorResource): ResourceProvider {
  const { name, all, ofFile, follow } = resource;
  const uriTemplate = `${ROOT}${name}/{+path}`;
  const { title = '', description = '', mimeType = JSON_TYPE } = ofFile ?? {};
  const require = async (ctx: Context) => {
    ctx.files.policy.requireOperation('read');
    await resource.require?.(ctx);
  };
  const isThere = async (ctx: Context): Promise<boolean> => {
    const isListed = async () => {
      ctx.files.policy.requireOperation('read');
      if (resource.isListed) return resource.isListed(ctx);
      await resource.require?.(ctx);
      return true;
    };
    return isListed().catch(ifUserError(false));
  };
  /** The path in the URI, still escaped, if it has one; undefined if the URI is another provider's. */
  const parse = (uri: string): { path?: string } | undefined => {
    const rest = /^editor-state:(?:\/\/)?\/(.*)$/is.exec(uri)?.[1];
    if (rest === name) return all && {};
    return ofFile && rest?.startsWith(`${name}/`) ? { path: rest.slice(name.length + 1) } : undefined;
  };
  const keyOf = async (inUri: string | undefined, ctx: Context) => {
    await require(ctx);
    if (inUri === undefined) return name;
    const path = decoded(inUri);
    const { uri, targetUri = uri } = await (ofFile?.locate?.(path, ctx) ?? ctx.files.locate(path));
    return uri === targetUri ? `${name}/${uri}` : [`${name}/${uri}`, `${name}/${targetUri}`];
  };
  return {
    fixed: all ? [{ uri: ROOT + name, description: all.description }] : [],
    templates: ofFile ? [{ uriTemplate, name: `${name}-of-file`, title, description, mimeType }] : [],

    async list(ctx) {
      if (!all || !(await isThere(ctx))) return [];
      return [{ uri: ROOT + name, describe: async () => describe(name, all, ctx) }];
    },

    async read(uri, ctx, call) {
      const parsed = parse(uri);
      if (!parsed) return undefined;
      const { path } = parsed;
      await require(ctx);
      const found = await (path === undefined
        ? all?.read(ctx, call)
        : ofFile?.read(decoded(path), ctx, call));
      if (typeof found !== 'string')
        return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(found) }] };
      return { contents: [{ uri, mimeType: ofFile?.mimeType ?? 'text/plain', text: found }] };
    },

    canonical(uri, ctx) {
      const parsed = parse(uri);
      return parsed && keyOf(parsed.path, ctx);
    },

    async complete(template, argument, ctx, { signal }) {
      if (!ofFile || template !== uriTemplate) return undefined;
      if (argument.name !== 'path') return completion([]);
      return completePath(argument.value, await ctx.files.list(signal), ({ path }) => path, signal);
    },

    watch: (ctx, onList) => resource.watch?.(ctx, onList) ?? ctx.vscode.Disposable.from(),

    follow(ctx, onContent) {
      const report: Report = {
        all: () => onContent(name),
        of: (uri) => onContent(`${name}/${uri}`),
        only: (uri) => onContent(`${name}/${uri}`, true),
      };
      return ctx.vscode.Disposable.from(follow(ctx, report), ctx.files.watchRules(report.all));
    },
  };
}

function describe(name: string, all: NonNullable<EditorResource['all']>, ctx: Context): Resource {
  const { title, description, priority, lastModified } = all;
  const modified = lastModified?.(ctx)?.toISOString();
  const annotations = { priority, ...(modified && { lastModified: modified }) };
  return {
    uri: ROOT + name,
    name,
    title,
    description,
    mimeType: JSON_TYPE,
    annotations: { audience: ['assistant', 'user'], ...annotations },
  };
}

/** @throws UserError if the escapes are not valid UTF-8 */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new UserError(`"${path}" has an invalid % escape. Write % as %25.`);
  }
}
