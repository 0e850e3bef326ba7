import assert from 'node:assert/strict';
import { read, tracked } from './sources.ts';

/** Phrases that are hard to read for many, and what to write instead. */
const BANNED: Record<string, string> = {
  'hears? of': 'is notified of',
  '(told|word) of': 'notified of',
  'of its like': 'like it',
  'none such': 'no such …',
  'in its stead': 'instead of it',
  anew: 'again',
  shall: 'must, or will',
  'mend(s|ed|ing)?': 'fix',
  'the person': 'the user',
};

const banned = new RegExp(`\\b(${Object.keys(BANNED).join('|')})\\b`, 'gi');

describe('rules: words', () => {
  it('texts and comments are in plain English', () => {
    const paths = [
      ...tracked('src/**/*.ts', 'media/**/*.js', 'scripts/**/*.ts', 'docs/*.md', '*.md'),
      ...tracked('package.nls.json', 'l10n/bundle.l10n.json'),
    ];
    const found = paths.flatMap((path) =>
      [...read(path).matchAll(banned)].map(([phrase]) => `${path}: ${phrase}`),
    );
    assert.deepEqual(found, []);
  });

  it('comments can be read alone: none begins with Of, Those, The same or Also', () => {
    const found = tracked('*.ts', '*.mjs', 'media/*.js').flatMap((path) =>
      [...read(path).matchAll(/(?:\/\*\*?|\/\/)[\s*]+(?:Of|Those|The same|Also)\b.*/g)].map(
        ([comment]) => `${path}: ${comment}`,
      ),
    );
    assert.deepEqual(found, []);
  });

  it('fields of an object stand plainly: none is spread to save a line', () => {
    const found = tracked('src/**/*.ts', 'test/**/*.ts').filter((path) =>
      /^\s*\.{3}\{ .*\},$/m.test(read(path)),
    );
    assert.deepEqual(found, []);
  });
});
