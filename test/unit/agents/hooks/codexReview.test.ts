import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { examine } from '../../../../src/agents/examine.ts';
import { removeTemporary } from '../../../temporary.ts';
import { makeMachine, targetOf } from '../machine.ts';

describe('agents/hooks/codexReview', () => {
  const { machine, launch, configure } = makeMachine();
  after(() => removeTemporary(machine.home));

  it('counts the hooks that have a review at their places', async () => {
    const codex = targetOf('codex');
    const file = join(machine.home, '.codex', 'hooks.json');
    mkdirSync(dirname(file));
    writeFileSync(file, '{ "hooks": { "Stop": [{ "hooks": [] }, { "hooks": [] }] } }');
    await configure(codex);
    const reviewed = async () => (await examine(codex, launch, machine))?.hooks?.reviewed;
    const review = (place: string) =>
      appendFileSync(
        join(machine.home, '.codex', 'config.toml'),
        `\n[hooks.state.${JSON.stringify(file + place)}]\ntrusted_hash = "sha256:0"\n`,
      );
    assert.deepEqual(await reviewed(), { count: 0, all: 5 });
    review(':stop:0:0'); // of others
    for (const place of ['user_prompt_submit:0:0', 'pre_tool_use:0:0', 'post_tool_use:0:0'])
      review(`:${place}`);
    assert.deepEqual(await reviewed(), { count: 3, all: 5 });
    for (const place of ['permission_request:0:0', 'stop:2:0']) review(`:${place}`);
    assert.deepEqual(await reviewed(), { count: 5, all: 5 });
    assert.equal((await examine(targetOf('gemini-cli'), launch, machine))?.hooks?.reviewed, undefined);
  });
});
