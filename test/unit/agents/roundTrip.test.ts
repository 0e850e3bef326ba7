import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { applyPlan } from '../../../src/agents/applyPlan.ts';
import { examine } from '../../../src/agents/examine.ts';
import { formats } from '../../../src/agents/formats/formats.ts';
import { planToConfigure, planToRemove } from '../../../src/agents/plan.ts';
import type { Target } from '../../../src/agents/program.ts';
import { ENTRY } from '../../../src/agents/program.ts';
import { namesIn } from '../../../src/ipc/windowRecord.ts';
import { removeTemporary } from '../../temporary.ts';
import { files, variants } from './files.ts';
import { makeMachine, targetOf } from './machine.ts';

describe('agents/roundTrip: configure, then remove', () => {
  const { machine, launch } = makeMachine();
  after(() => removeTemporary(machine.home));

  const fileOf = ({ place }: Target) => place.files(machine).at(-1) ?? '';
  const configure = async (target: Target) => applyPlan(await planToConfigure(target, launch, machine));
  const remove = async (target: Target) => applyPlan(await planToRemove(target, launch, machine));

  for (const { agent, what, text, hasOthers } of files) {
    for (const [variant, change] of Object.entries(variants)) {
      it(`${agent}: ${what}, ${variant}`, async () => {
        const target = targetOf(agent);
        const file = fileOf(target);
        const before = change(text);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, before);
        await configure(target);
        const after = readFileSync(file, 'utf8');
        assert.equal((await examine(target, launch, machine))?.state, 'configured');
        assert.ok(isKept(before, after), after);
        if (before.includes('\r\n')) assert.doesNotMatch(after, /[^\r]\n/);
        if (hasOthers) {
          const path = [...target.place.path(machine), ENTRY];
          const bare = after.replace(/^\ufeff/, '');
          assert.equal(formats[target.place.format].remove(bare, path), before.replace(/^\ufeff/, ''), after);
        }
        await remove(target);
        assert.equal(readFileSync(file, 'utf8'), before);
        assert.deepEqual(
          namesIn(dirname(file)).filter((name) => name.includes('backup')),
          [],
        );
      });
    }
  }
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
