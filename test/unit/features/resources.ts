import assert from 'node:assert/strict';
import type { Resource } from '@modelcontextprotocol/server';
import type { ResourceProvider } from '../../../src/features/resource.ts';
import { CALL, type Window } from './window.ts';

// biome-ignore lint/suspicious/noExplicitAny: each resource has another shape
type Content = any;

/** The data, or the text, of a resource. @param name as it stands behind `editor-state:///` */
export async function read(provider: ResourceProvider, name: string, { ctx }: Window): Promise<Content> {
  const uri = `editor-state:///${name}`;
  const result = await provider.read(uri, ctx, CALL);
  const [content] = result?.contents ?? [];
  assert.ok(content && 'text' in content, `nobody has ${uri}`);
  assert.equal(content.uri, uri);
  return content.mimeType === 'application/json' ? JSON.parse(content.text) : content.text;
}

export async function listed(provider: ResourceProvider, { ctx }: Window): Promise<Resource[]> {
  const found = await provider.list(ctx, CALL);
  const list = 'after' in found ? [...found.after('')] : found;
  return (await Promise.all(list.map((one) => one.describe()))).filter((one) => one !== undefined);
}

/** What a provider tells of, until it is disposed of: `key` or, where it alone has changed, `key!`; the folder as `~`. */
export function follow(provider: ResourceProvider, { ctx, uri }: Window) {
  const told: string[] = [];
  const following = provider.follow?.(ctx, (key, alone) =>
    told.push(key.replace(uri(''), '~') + (alone ? '!' : '')),
  );
  return { told, dispose: () => following?.dispose() };
}

/** Until a promise that nobody can wait for has been kept. */
export const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
