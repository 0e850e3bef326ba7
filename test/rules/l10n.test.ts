import assert from 'node:assert/strict';
import { CLOSED, GUARDED } from '../../src/access/pathTables.ts';
import { read, tracked } from './sources.ts';

const json = (path: string): Record<string, string> => JSON.parse(read(path));

/** A text as `l10n.t('…')` has it; one that is put together at run time would have no translation. */
const CALL = /\bl10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^'"]))/g;

const texts = tracked('src')
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => [...read(path).matchAll(CALL)].map((match) => ({ path, match })));

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

/** What stands for something else in a text: `{0}`, links, what is set in bold or as code. */
const marks = (text: string): string[] =>
  [...text.matchAll(/\{\d+\}|\(command:[\w.]+\)|`[^`]+`/g)].map(([mark]) => mark).sort();

/** Texts of package.json that a person reads. */
const READ = /^(title|description|markdownDescription|contents|name|altText|label|alt)$/;

describe('rules: translations', () => {
  it('every text of src is a literal, or a reason of a table, in the bundle, and nothing else is', () => {
    const isComposed = ({ match: [, , , other] }: (typeof texts)[number]) => other !== undefined;
    const composed = texts.filter(isComposed).map(({ path }) => path);
    // These two are the reasons of the tables.
    assert.deepEqual(composed, ['src/ui/approvals/questionText.ts', 'src/ui/menus/explainAccess.ts']);
    const literals = texts.filter((text) => !isComposed(text));
    const written = literals.map(({ match: [, single, double] }) => unescaped(single ?? double ?? ''));
    const used = new Set([...written, ...Object.keys(CLOSED), ...Object.keys(GUARDED)]);
    const bundle = json('l10n/bundle.l10n.json');
    assert.deepEqual(Object.keys(bundle), [...used].sort());
    for (const [key, text] of Object.entries(bundle)) assert.equal(text, key);
  });

  for (const [english, chinese] of [
    ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.zh-cn.json'],
    ['package.nls.json', 'package.nls.zh-cn.json'],
  ] as const) {
    it(`${chinese} translates all of ${english}, with the same placeholders and links`, () => {
      const translated = json(chinese);
      const original = json(english);
      assert.deepEqual(Object.keys(translated), Object.keys(original));
      for (const [key, text] of Object.entries(translated))
        assert.deepEqual(marks(text), marks(original[key] ?? ''), key);
    });
  }

  it('package.json has no text that is not in package.nls.json, which has no other', () => {
    const manifest = JSON.parse(read('package.json'));
    const { name, displayName, contributes } = manifest;
    const plugins = contributes.typescriptServerPlugins.map(({ name }: { name: string }) => name);
    const names = [name, displayName, ...plugins];
    const keys: string[] = [];
    const plain: string[] = [];
    const look = (_: string, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value;
      for (const [field, text] of Object.entries(value)) {
        if (typeof text !== 'string') continue;
        const key = /^%(.+)%$/.exec(text)?.[1];
        if (key) keys.push(key);
        else if (READ.test(field) && !names.includes(text)) plain.push(text);
      }
      return value;
    };
    JSON.parse(read('package.json'), look);
    assert.deepEqual(plain, []);
    assert.deepEqual([...new Set(keys)].sort(), Object.keys(json('package.nls.json')).sort());
  });
});
