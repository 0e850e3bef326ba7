import assert from 'node:assert/strict';
import { nestingOf } from '../../../../src/core/declarations/nesting.ts';
import * as bodies from '../../../languages/edits/bodies.ts';
import { recordedFiles } from '../../../languages/edits/recorded.ts';
import { applied, type BodyFor, type Variant, variantsOf } from '../../../languages/edits/variants.ts';

const BODIES: Record<string, BodyFor> = {
  python: bodies.python,
  go: bodies.go,
  php: bodies.php,
  shellscript: bodies.bash,
  c: bodies.c,
  cpp: bodies.c,
};

/** How many edits of each language are made, of how many: fewer would say that edits are refused which are right. */
const MADE: Record<string, string> = {
  c: '104 of 115',
  cpp: '247 of 305',
  go: '170 of 190',
  php: '190 of 232',
  python: '196 of 304',
  shellscript: '34 of 48',
};

/** Brackets still pair, a symbol's own text changes nothing, and nothing new is among parameters. */
function requireSound({ action, title, edit }: Variant, text: string, language: string): void {
  const after = applied(text, edit?.edits ?? []);
  if (action.startsWith('replace')) assert.equal(after, text, title);
  const nesting = nestingOf(after, language);
  assert.ok(nesting ?? !nestingOf(text, language), title);
  if (!action.startsWith('insert')) return;
  const around = nesting?.around(after.search(/probe/i)).map((at) => after.slice(0, at + 1)) ?? [];
  const isAmong = (head: string) => head.endsWith('(') && !/\b(var|const|type) \($/.test(head);
  assert.ok(!around.some((head) => isAmong(head)), `${action} ${title}`);
}

/** `npm run test:languages` has parsers judge edits of large sources. */
describe('core/declarations/plan', () => {
  const made = new Map<string, [made: number, all: number]>();
  for (const { path, language, text, symbols } of recordedFiles())
    it(`keeps what is around every symbol of ${path}`, () => {
      const bodyFor = BODIES[language];
      assert.ok(bodyFor);
      const variants = variantsOf(text, symbols, language, bodyFor);
      const [count, all] = made.get(language) ?? [0, 0];
      made.set(language, [count + variants.filter(({ edit }) => edit).length, all + variants.length]);
      for (const variant of variants) if (variant.edit) requireSound(variant, text, language);
    });

  it('refuses no more than it has to', () => {
    const shown = [...made].map(([language, [count, all]]) => [language, `${count} of ${all}`]);
    assert.deepEqual(Object.fromEntries(shown), MADE);
  });
});
