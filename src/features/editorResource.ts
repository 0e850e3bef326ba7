import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import { type Call, completion } from './call.ts';
import type { Context } from './context.ts';
import { completePath } from './files/completePath.ts';
import type { ResourceProvider } from './resource.ts';

/** In the order of URIs before `file:`: the few of these stand on the first page of the list, not behind 100,000 files. */
const ROOT = 'editor-state:///';

const JSON_TYPE = 'application/json';

/** What VS Code knows besides the files, as a resource: all of it, what it knows of one file, or both. */
export interface EditorResource {
  /** The URI is `editor-state:///name`; of one file `editor-state:///name/path`, with the path as tools name files. */
  name: string;
  all?: {
    title: string;
    description: string;
    /** From 0 to 1, as MCP has it. */
    priority: number;
    lastModified?(ctx: Context): Date | undefined;
    /** What a tool of the same kind answers. @throws UserError */
    read(ctx: Context, call: Call): Promise<object> | object;
  };
  ofFile?: {
    title: string;
    description: string;
    /** Of a text; data are JSON. */
    mimeType?: string;
    /** Files that may be named besides those that there are. @throws UserError, NotFoundError */
    locate?(path: string, ctx: Context): Promise<{ uri: vscode.Uri; targetUri?: vscode.Uri }>;
    read(path: string, ctx: Context, call: Call): Promise<object | string>;
  };
  /** @throws UserError where there can be none here for this agent, to read or to subscribe to */
  require?(ctx: Context): Promise<void> | void;
  /** Whether it is in the list; where nothing is said, it is where `require` lets it pass. */
  isListed?(ctx: Context): boolean;
  /** Tells when it comes into the list, or goes. */
  watch?(ctx: Context, onList: () => void): vscode.Disposable;
  follow(ctx: Context, tell: Tell): vscode.Disposable;
}

/** What has changed: all of it, what it is of one file or of those in a folder and so all of it, or of one file only. */
export type Tell = Record<'of' | 'only', (uri: vscode.Uri) => void> & { all(): void };

export function editorResource(resource: EditorResource): ResourceProvider {
  const { name, all, ofFile, follow } = resource;
  const uriTemplate = `${ROOT}${name}/{+path}`;
  const require = async (ctx: Context) => {
    ctx.files.policy.requireOperation('read');
    await resource.require?.(ctx);
  };
  const isThere = async (ctx: Context): Promise<boolean> => {
    try {
      ctx.files.policy.requireOperation('read');
      if (resource.isListed) return resource.isListed(ctx);
      await resource.require?.(ctx);
      return true;
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  };
  /** The path in a URI as it stands there, none in that of all; undefined where it is another provider's. */
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
    templates: ofFile ? [templateOf(uriTemplate, name, ofFile)] : [],

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
      const tell: Tell = {
        all: () => onContent(name),
        of: (uri) => onContent(`${name}/${uri}`),
        only: (uri) => onContent(`${name}/${uri}`, true),
      };
      return ctx.vscode.Disposable.from(follow(ctx, tell), ctx.files.watchRules(tell.all));
    },
  };
}

const templateOf = (
  uriTemplate: string,
  name: string,
  { title, description, mimeType = JSON_TYPE }: NonNullable<EditorResource['ofFile']>,
): ResourceTemplateType => ({ uriTemplate, name: `${name}-of-file`, title, description, mimeType });

function describe(
  name: string,
  { title, description, priority, lastModified }: NonNullable<EditorResource['all']>,
  ctx: Context,
): Resource {
  const modified = lastModified?.(ctx)?.toISOString();
  const annotations = { priority, ...(modified && { lastModified: modified }) };
  return {
    ...{ uri: ROOT + name, name, title, description, mimeType: JSON_TYPE },
    annotations: { audience: ['assistant', 'user'], ...annotations },
  };
}

/** @throws UserError where it is no text in UTF-8 */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new UserError(`"${path}" has an escape that stands for no character: write % as %25.`);
  }
}
