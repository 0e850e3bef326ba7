import assert from 'node:assert/strict';
import fc from 'fast-check';
import { page, wholePage } from '../../../src/core/page.ts';

const self = (item: string) => item;

function allOf(items: readonly string[], size: number): string[] {
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const next = page('x', items, self, cursor, size);
    seen.push(...next.items);
    if (!next.nextCursor) return seen;
    cursor = next.nextCursor;
  }
}

describe('core/page', () => {
  it('hands out each item once, in order', () => {
    const items = fc.uniqueArray(fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 9 }), (all, size) => {
        const sorted = all.toSorted((a, b) => (a < b ? -1 : 1));
        assert.deepEqual(allOf(sorted, size), sorted);
      }),
    );
  });

  it('has no cursor on the last page, also where it is full', () => {
    assert.equal('nextCursor' in page('x', ['a', 'b'], self, undefined, 2), false);
    assert.equal('nextCursor' in page('x', [], self, undefined, 2), false);
  });

  it('goes on after the last key, whatever came and went meanwhile', () => {
    const { nextCursor } = page('x', ['b', 'd', 'f', 'h'], self, undefined, 2);
    assert.deepEqual(page('x', ['a', 'c', 'e', 'f'], self, nextCursor, 9).items, ['e', 'f']);
    assert.deepEqual(page('x', [], self, nextCursor, 9).items, []);
  });

  it('refuses a cursor of another maker', () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const values = [null, 2, 'abc', {}, [], ['a'], ['x', 1], ['x', 'a', 'b'], [1, 'a']];
    const refused = { name: 'UserError', message: /Unknown cursor/ };
    for (const cursor of ['', 'x', '2', ...values.map(encoded)])
      assert.throws(() => page('x', ['a'], self, cursor), refused, JSON.stringify(cursor));
  });

  it('refuses the cursor of another list, which would hide entries', () => {
    const { nextCursor } = page('x', ['a', 'b'], self, undefined, 1);
    const message = /does not belong to y\. Pass/;
    assert.throws(() => page('y', ['a', 'b'], self, nextCursor), { name: 'UserError', message });
  });

  it('has all tools on the first page, as far as a page reaches', () => {
    const tools = Array.from({ length: 300 }, (_, index) => ({ name: `${index}`, text: 'x'.repeat(500) }));
    const count = (items: typeof tools) => {
      const { x: shown, nextCursor } = wholePage('x', items, ({ name }) => name, undefined);
      return [(shown as unknown[]).length, nextCursor !== undefined];
    };
    assert.deepEqual(count(tools), [300, false]);
    const [many = 0, goesOn] = count([...tools, ...tools]);
    assert.ok(Number(many) < 600 && goesOn);
    assert.deepEqual(count([{ name: '1', text: 'x'.repeat(1e6) }]), [1, false]);
  });
});
