/** Patches that `git diff` makes, against what `git apply` does with them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { applyHunks } from '../../../../src/core/patch/applyHunks.ts';
import { parsePatch } from '../../../../src/core/patch/parsePatch.ts';
import { makeTemporary, removeTemporary } from '../../../temporary.ts';

const FILES = 30;
/** Lines that look like parts of a patch, and lines that occur often. */
const LINE = fc.oneof(
  fc.constantFrom('', ' ', 'a', 'b', '}', '-- x', '++ y', '- z', '@@ -1 +1 @@', '\\ No newline', '-- '),
  fc.constantFrom('diff --git a/x b/x', '*** Begin Patch', '*** End Patch', 'index 1..2 100644', '2.39.5'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll(/[\r\n\0]/g, '')),
);
const EDIT = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  gone: fc.nat(4),
  lines: fc.array(LINE, { maxLength: 4 }),
});
const CHANGE = fc.record({
  lines: fc.array(LINE, { maxLength: 60 }),
  edits: fc.array(EDIT, { maxLength: 5 }),
  ends: fc.tuple(fc.boolean(), fc.boolean()),
});

const textOf = (lines: readonly string[], isEnded: boolean) =>
  lines.length === 0 ? '' : lines.join('\n') + (isEnded || lines.at(-1) === '' ? '\n' : '');

/** Some are new, some are deleted; some names are quoted. */
const filesOf = (seed: number) =>
  fc.sample(CHANGE, { numRuns: FILES, seed }).map(({ lines, edits, ends }, index) => {
    const changed = [...lines];
    for (const { at, gone, lines } of edits) changed.splice(Math.floor(at * changed.length), gone, ...lines);
    return {
      name: [undefined, `file ${index}.txt`, `dätei\t${index}`][index % 7] ?? `${index}.txt`,
      before: index % 10 === 3 ? undefined : textOf(lines, ends[0]),
      after: index % 10 === 4 ? undefined : textOf(changed, ends[1]),
    };
  });

describe('core/patch/applyHunks: as git does it', () => {
  const root = makeTemporary();
  after(() => removeTemporary(root));

  const git = (args: string[], input?: string) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28, input });
  const at = (name: string) => join(root, name);
  const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined);
  const put = (name: string, text: string | undefined) =>
    text === undefined ? rmSync(at(name), { force: true }) : writeFileSync(at(name), text);

  it(`gives what git apply gives, for ${FILES} random edits`, () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const files = filesOf(seed);
    git(['init', '-q']);
    for (const { name, before } of files) put(name, before);
    git(['add', '-A']);
    git(['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a']);
    for (const { name, after } of files) put(name, after);
    git(['add', '-A']);
    const patches = ['-U3', '-U1', '-U10'].map((context) =>
      git(['diff', '--cached', '--text', '--no-renames', context]),
    );
    for (const { name, before } of files) put(name, before);
    git(['apply', '-'], patches[0]);
    for (const patch of patches) {
      const byPath = Map.groupBy(parsePatch(patch), ({ from, to }) => to ?? from);
      for (const { name, before, after } of files) {
        const why = `${JSON.stringify(name)}, seed ${seed}`;
        const of = (text: string | undefined) => (text === undefined ? undefined : name);
        const all = byPath.get(name)?.map(({ from, to }) => ({ from, to })) ?? [];
        assert.deepEqual(all, before === after ? [] : [{ from: of(before), to: of(after) }], why);
        const { text } = applyHunks(before ?? '', byPath.get(name)?.[0]?.hunks ?? [], name);
        assert.deepEqual([text, read(name)], [after ?? '', after], why);
      }
    }
  });
});
