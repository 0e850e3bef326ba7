import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isInstalled } from '../../../src/agents/configurationFile.ts';
import { removeTemporary } from '../../temporary.ts';
import { makeMachine, targetOf } from './machine.ts';

describe('agents/configurationFile: an agent is installed', () => {
  const { machine } = makeMachine();
  after(() => removeTemporary(machine.home));
  const { program, place } = targetOf('codex');

  it('where its program is on the PATH, or the folder of its configuration is', () => {
    assert.ok(!isInstalled(program, machine));
    const name = machine.platform === 'win32' ? 'codex.cmd' : 'codex';
    writeFileSync(join(machine.home, name), '');
    const PATH = ['/nowhere', machine.home].join(delimiter);
    assert.ok(isInstalled(program, { ...machine, env: { PATH } }));
    mkdirSync(dirname(place.files(machine)[0] ?? ''), { recursive: true });
    assert.ok(isInstalled(program, machine));
  });

  it('with a file in the home directory: where that is', () => {
    const claude = targetOf('claude-code');
    assert.ok(!isInstalled(claude.program, machine));
    writeFileSync(claude.place.files(machine)[0] ?? '', '{}');
    assert.ok(isInstalled(claude.program, machine));
  });
});
