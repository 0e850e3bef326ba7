import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Argument, Call, Completion, Context } from './context.ts';

/** One resource of a list. `describe` is slow, so it runs only for the requested page. */
export interface Listed {
  uri: string;
  describe(): Promise<Resource | undefined>;
}

/** A list that may have hundreds of thousands of resources: each is made when its page needs it. */
export interface ResourceList {
  /** The first ones of the first page, the most important first. `after` has them too. */
  leading?: readonly Listed[];
  /** The resources with a greater URI, sorted by URI. */
  after(uri: string): Iterable<Listed>;
}

/**
 * @param key from `canonical`. A key can be in another: `a/b` is in `a`. A change affects its ancestors and descendants.
 * @param alone if true, its ancestors have not changed
 */
export type OnContent = (key: string, alone?: boolean) => void;

export interface ResourceProvider {
  templates: ResourceTemplateType[];
  /** Templates that differ between agents and over time. */
  moreTemplates?(ctx: Context): ResourceTemplateType[];
  /** The resources with the same URI in every window, for the README. */
  fixed?: readonly { uri: string; description: string }[];
  /** All resources. A plain list is sorted by URI. */
  list(ctx: Context, call: Call): Promise<readonly Listed[] | ResourceList>;
  /** Undefined if the URI is not this provider's. @throws NotFoundError if it is, but does not exist */
  read(uri: string, ctx: Context, call: Call): Promise<ReadResourceResult | undefined>;
  /**
   * The key that `follow` reports a resource by: the same for all spellings of its URI; several keys if links lead to it.
   * Undefined, not a promise, if the URI is not this provider's. @throws if it cannot be read
   */
  canonical(uri: string, ctx: Context): Promise<string | readonly string[]> | undefined;
  /** Values for a template's variable. */
  complete(template: string, argument: Argument, ctx: Context, call: Call): Promise<Completion | undefined>;
  /** Calls back when the list changes. */
  watch(ctx: Context, onList: () => void): vscode.Disposable;
  /** Calls back when contents change, while an agent is subscribed. Left out if they never change. */
  follow?(ctx: Context, onContent: OnContent): vscode.Disposable;
  /** Follows one resource that `follow` does not cover; undefined for all others. @param keys from `canonical` */
  followOne?(keys: readonly string[], ctx: Context, onContent: OnContent): vscode.Disposable | undefined;
}
