import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { examine } from '../../../src/agents/examine.ts';
import { valueAt } from '../../../src/agents/formats/format.ts';
import { ENTRY } from '../../../src/agents/program.ts';
import { fieldsOf } from '../../../src/core/json.ts';
import { entryNamesIn } from '../../../src/util/diskPaths.ts';
import { removeTemporary } from '../../temporary.ts';
import { files, variants } from './files.ts';
import { makeMachine, targetOf } from './machine.ts';

const bare = (text: string): string => text.replace(/^\ufeff/, '');

describe('agents/plan: configure, then remove', () => {
  const { machine, launch, fileOf, configure, remove } = makeMachine();
  after(() => removeTemporary(machine.home));

  async function roundTrip(agent: string, before: string): Promise<void> {
    const target = targetOf(agent);
    const file = fileOf(target);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    await configure(target);
    const after = readFileSync(file, 'utf8');
    assert.equal((await examine(target, launch, machine))?.state, 'configured');
    assert.ok(isKept(before, after), after);
    if (before.includes('\r\n')) assert.doesNotMatch(after, /[^\r]\n/);
    const path = target.place.path(machine);
    const { format } = target.place;
    if (Object.keys(fieldsOf(valueAt(format.parse(bare(after)), path))).length > 1)
      assert.equal(format.remove(bare(after), [...path, ENTRY]), bare(before), after);
    await remove(target);
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.ok(!entryNamesIn(dirname(file)).some((name) => name.includes('backup')));
  }

  for (const [agent, all] of Object.entries(files))
    for (const [what, text] of Object.entries(all))
      it(`${agent}: ${what}`, async () => {
        const texts = Object.values(variants).map((change) => change(text));
        for (const before of new Set(texts)) await roundTrip(agent, before);
      });
});

/** Whether each line is still there, in the same order; a comma and a brace may have come. */
function isKept(before: string, after: string): boolean {
  const words = (text: string) => text.split(/[\s,{}]+/).filter((word) => word !== '');
  const left = words(after);
  return words(before).every((word) => {
    const at = left.indexOf(word);
    left.splice(0, at + 1);
    return at >= 0;
  });
}
