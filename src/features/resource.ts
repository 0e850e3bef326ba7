import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Argument, Call, Completion } from './call.ts';
import type { Context } from './context.ts';

/** One resource of a list; what costs time is found out only for the page that is asked for. */
export interface Listed {
  uri: string;
  describe(): Promise<Resource | undefined>;
}

/** Resources of which a window may have hundreds of thousands: one is made when its page needs it. */
export interface ResourceList {
  /** Those that lead the first page, the most important first. They stand in their places as well. */
  leading?: readonly Listed[];
  /** Those whose URI comes after a text, sorted by it. */
  after(uri: string): Iterable<Listed>;
}

/**
 * @param key one of `canonical`, in which others may lie: `a/b` in `a`. Those that hold it have changed with it, and those
 * that it holds.
 * @param alone whether none of those that hold it has
 */
export type OnContent = (key: string, alone?: boolean) => void;

export interface ResourceProvider {
  templates: ResourceTemplateType[];
  /** Those that have the same URI in every window, for the README. */
  fixed?: readonly { uri: string; description: string }[];
  /** All of them; a plain list is sorted by URI. */
  list(ctx: Context, call: Call): Promise<readonly Listed[] | ResourceList>;
  /** Undefined where the URI is none of this provider's. Throws NotFoundError where it is, but nothing is there. */
  read(uri: string, ctx: Context, call: Call): Promise<ReadResourceResult | undefined>;
  /**
   * By which `follow` tells of a resource: the same for all spellings of its URI; several for one that links lead to. Undefined, at once, where the URI is none
   * of this provider's. Throws where it cannot be read.
   */
  canonical(uri: string, ctx: Context): Promise<string | readonly string[]> | undefined;
  /** Values for a template's variable. */
  complete(template: string, argument: Argument, ctx: Context, call: Call): Promise<Completion | undefined>;
  /** Tells of lists that changed. */
  watch(ctx: Context, onList: () => void): vscode.Disposable;
  /** Tells of contents that changed, while an agent has subscribed to any; left out where none ever does. */
  follow?(ctx: Context, onContent: OnContent): vscode.Disposable;
  /** Follows one resource that `follow` does not reach; undefined for all others. @param keys of `canonical` */
  followOne?(keys: readonly string[], ctx: Context, onContent: OnContent): vscode.Disposable | undefined;
}
