import assert from 'node:assert/strict';
import type { Context } from '../../../../src/features/context.ts';
import { listing } from '../../../../src/features/hosted/hostedToolSource.ts';

/** A server with so many tools, whose schemas take about that many bytes each. */
function serverWith(slug: string, count: number, bytes: number, isUsed = false) {
  const tools = Array.from({ length: count }, (_, index) => ({
    tool: {
      name: `tool${index}`,
      description: index === 0 ? `Sends mail of ${slug}` : 'x',
      inputSchema: { type: 'object', own: 'i'.repeat(bytes) },
      outputSchema: { type: 'object', own: 'o'.repeat(bytes) },
    },
  }));
  const catalogue = { tools: tools.map(({ tool }) => tool) };
  const config = { source: { kind: 'settings' } };
  return { slug, name: slug, offer: { tools }, isUsed, catalogue, config, options: { tools: {} } };
}

const contextOf = (...all: ReturnType<typeof serverWith>[]): Context =>
  ({ hosted: { all, find: (slug: string) => all.find((one) => one.slug === slug) } }) as unknown as Context;

describe('features/hosted/hostedToolSource', () => {
  it('leaves out result schemas, then hides whole servers, the largest of those that are not used first', () => {
    const all = listing(contextOf(serverWith('a', 10, 1_500)));
    assert.deepEqual([all.listed.length, all.hidden], [10, []]);
    assert.deepEqual(Object.keys(all.listed[0]?.listed ?? {}), ['name', 'description', 'inputSchema']);
    const ctx = contextOf(
      serverWith('used', 10, 2_000, true),
      serverWith('small', 2, 1_000),
      serverWith('large', 20, 1_000),
    );
    const { listed, hidden } = listing(ctx);
    assert.deepEqual([...new Set(listed.map(({ name }) => name.split('__')[0]))], ['small', 'used']);
    assert.equal(hidden.length, 20);
  });

  it('weighs the tools of a server once, until they change', () => {
    const server = serverWith('a', 30, 1_000);
    let written = 0;
    const [one] = server.offer.tools;
    assert.ok(one);
    Object.assign(one.tool.inputSchema, { toJSON: () => ++written });
    listing(contextOf(server));
    const first = written;
    listing(contextOf(server));
    assert.deepEqual([first > 0, written], [true, first]);
  });
});
