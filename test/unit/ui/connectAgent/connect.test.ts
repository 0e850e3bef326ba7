import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examine } from '../../../../src/agents/examine.ts';
import type { Plan } from '../../../../src/agents/planFor.ts';
import { removeTemporary } from '../../../temporary.ts';
import { makeMachine, type TestMachine, targetOf } from '../../agents/machine.ts';

const { window } = await import('vscode');
const { configure } = await import('../../../../src/ui/connectAgent/connect.ts');

describe('ui/connectAgent/connect', () => {
  let made: TestMachine;
  let told: string[];
  let asked: (readonly Plan[])[];
  beforeEach(() => {
    made = makeMachine();
    [told, asked] = [[], []];
    Object.assign(window, { showInformationMessage: async (text: string) => told.push(text) });
  });
  afterEach(() => {
    removeTemporary(made.machine.home);
    Reflect.deleteProperty(window, 'showInformationMessage');
  });

  async function connect(id: string, withHooks?: boolean): Promise<void> {
    const { machine, launch } = made;
    const target = targetOf(id);
    const examined = await examine(target, launch, machine);
    assert.ok(examined);
    const ask = async (plans: readonly Plan[]) => asked.push(plans) > 0;
    const context = { globalState: { get: (_: string, usual: boolean) => withHooks ?? usual } };
    await configure({ target, examined }, { plans: { ask }, context } as never, {
      machine,
      launch,
      found: [],
    });
  }

  it('asks about entry, hooks and skills at once, and tells users of Codex to review the hooks', async () => {
    const codex = (...names: string[]) => join(made.machine.home, '.codex', ...names);
    await connect('codex');
    const [config, hooks, ...skills] = asked[0]?.map(({ file }) => file) ?? [];
    assert.deepEqual([config, hooks], [codex('config.toml'), codex('hooks.json')]);
    const folder = join(made.machine.home, '.agents', 'skills');
    assert.ok(skills.length > 0 && skills.every((file) => file.startsWith(folder)));
    await connect('codex');
    assert.equal(asked.length, 1);
    for (const text of told) assert.match(text, /type \/hooks in Codex/);
    await connect('gemini-cli');
    assert.doesNotMatch(told.at(-1) ?? '', /\/hooks/);
  });

  it('writes no hooks where the user does not want them, and removes those that are there', async () => {
    const file = join(made.machine.home, '.codex', 'hooks.json');
    await connect('codex', false);
    assert.ok(!existsSync(file));
    assert.doesNotMatch(told[0] ?? '', /\/hooks/);
    await connect('codex', true);
    assert.ok(existsSync(file));
    await connect('codex', false);
    assert.ok(!existsSync(file));
  });

  it('names the folder of skills once, and the skills that it leaves alone', async () => {
    const folder = join(made.machine.home, '.agents', 'skills');
    await connect('codex');
    assert.equal(told[0]?.split(folder).length, 2);
    const [name = ''] = readdirSync(folder);
    writeFileSync(join(folder, name, 'SKILL.md'), 'mine');
    await connect('codex');
    assert.ok(
      told[1]?.includes(`its text is not what Workspace MCP wrote: ${join(folder, name, 'SKILL.md')}.`),
      told[1],
    );
  });
});
