import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlans } from '../../../src/agents/applyPlans.ts';
import { planToConfigure } from '../../../src/agents/plan.ts';
import { removeTemporary } from '../../temporary.ts';
import { makeMachine, targetOf } from '../agents/machine.ts';

const { workspace } = await import('vscode');
const { agentsSection } = await import('../../../src/ui/doctor.ts');

describe('ui/doctor: agents', () => {
  const { machine, launch } = makeMachine();
  before(() => Object.assign(workspace, { getConfiguration: () => ({ get: () => undefined }) }));
  after(() => removeTemporary(machine.home));

  it('tells of each agent that is installed or configured what an agent gets', async () => {
    for (const id of ['codex', 'cursor', 'gemini-cli'])
      await applyPlans(await planToConfigure(targetOf(id), launch, machine));
    const [windsurf = ''] = targetOf('windsurf').place.files(machine);
    mkdirSync(dirname(windsurf), { recursive: true });
    const [broken = ''] = targetOf('vscode', 'project').place.files(machine);
    mkdirSync(dirname(broken));
    writeFileSync(broken, '{\n  "servers": [\n}');
    const sectionWith = (name: string) =>
      agentsSection(
        { agents: { all: [{ name }], lastHooks: new Map([['gemini-cli', 1_700_000_000_000]]) } } as never,
        launch,
        machine,
        { Codex: 1_700_000_000_000 },
      );
    const { findings } = await sectionWith('cursor-vscode');
    const CORE = 'It gets the core of the tools, because it gives every tool to its model.';
    const file = (...names: string[]) => join(machine.home, ...names);
    assert.deepEqual(
      findings.map(({ level, text }) => `${level} ${text}`),
      [
        `ok Codex, user, ${file('.codex', 'config.toml')}: configured. Last connected 2023-11-14T22:13:20.000Z. It stops a tool call after 600 s. It gets all tools, because it searches them itself.`,
        `warn Codex, hooks, ${file('.codex', 'hooks.json')}: written. None has come to this window yet. You have reviewed 0 of 5. Codex skips the others without a word: type /hooks in it.`,
        `ok Codex, skills, ${file('.agents', 'skills')}: written.`,
        `ok Cursor, user, ${file('.cursor', 'mcp.json')}: configured. Connected now. ${CORE}`,
        `ok Gemini CLI, user, ${file('.gemini', 'settings.json')}: configured. No connection recorded. It stops a tool call after 600 s. ${CORE}`,
        `ok Gemini CLI, hooks, ${file('.gemini', 'settings.json')}: written. The last came 2023-11-14T22:13:20.000Z.`,
        `ok Gemini CLI, skills, ${file('.agents', 'skills')}: written.`,
        `bad VS Code, project, ${broken}: ${broken} is not valid, line 3: ValueExpected. Correct it, then try again. Run "Workspace MCP: Connect Agent".`,
        'none Windsurf: installed, not configured. No connection recorded. To set it up, run "Workspace MCP: Connect Agent".',
      ],
    );
    const ofAnotherEntry = (await sectionWith('windsurf')).findings.at(-1);
    assert.equal(ofAnotherEntry?.text, `Windsurf: installed, not configured. Connected now. ${CORE}`);
  });
});
