import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Listed, ResourceList } from '../../../src/features/resource.ts';
import { resourcePage } from '../../../src/protocol/resources.ts';

const item = (uri: string): Listed => ({ uri, describe: async () => ({ uri, name: uri }) });
const uriOf = (index: number) => `file:///${String(index).padStart(4, '0')}`;
const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => uriOf(from + index));

const list = (uris: readonly string[], leading: readonly string[] = []): ResourceList => ({
  leading: leading.map(item),
  after: (start) =>
    uris
      .filter((uri) => uri > start)
      .sort()
      .map(item),
});

/** All pages; `next` says what the list is when each is asked for. */
function allOf(next: (page: number) => readonly (ResourceList | Listed[])[]): string[][] {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = resourcePage(next(pages.length), cursor);
    pages.push(items.map(({ uri }) => uri));
    if (!nextCursor) return pages;
    cursor = nextCursor;
  }
}

describe('protocol/resources: pages of the list', () => {
  it('hands out each once: what leads first, the rest in order, of all lists', () => {
    const count = fc.integer({ min: 0, max: 250 });
    fc.assert(
      fc.property(count, fc.uniqueArray(fc.integer({ min: 0, max: 249 })), (size, open) => {
        const leading = open.map(uriOf).filter((uri) => uri < uriOf(size));
        const other = range(30).map((uri) => item(`${uri}-other`));
        const pages = allOf(() => [list(range(size), leading), other]);
        const led = leading.slice(0, 100);
        const rest = [...range(size), ...other.map(({ uri }) => uri)].filter((uri) => !led.includes(uri));
        assert.deepEqual(pages.flat(), [...led, ...rest.sort()]);
        assert.ok(pages.every((page, index) => page.length === 100 || index === pages.length - 1));
      }),
      { numRuns: 50 },
    );
  });

  it('loses and repeats nothing where files are opened and closed between two pages', () => {
    const all = range(350);
    const open = [[uriOf(300), uriOf(5)], [], [uriOf(20), uriOf(310)], [uriOf(300)]];
    const seen = allOf((page) => [list(all, open[page])]).flat();
    assert.deepEqual(seen.slice(0, 2), [uriOf(300), uriOf(5)]);
    assert.deepEqual(seen.toSorted(), all);
  });

  it('goes on where it was, whatever came and went meanwhile', () => {
    const first = resourcePage([list(range(150), [uriOf(140)])], undefined);
    assert.equal(first.items.at(-1)?.uri, uriOf(98));
    const now = ['file:///0', ...range(20, 130)];
    const rest = resourcePage([list(now)], first.nextCursor);
    assert.deepEqual(
      rest.items.map(({ uri }) => uri),
      range(20, 130).filter((uri) => uri !== uriOf(140)),
    );
  });

  it('takes no cursor of another list', () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const cursor of ['x', encoded(['tools', 'a']), encoded(['resources', 'a', 1])])
      assert.throws(() => resourcePage([list([])], cursor), { name: 'UserError' });
  });
});
