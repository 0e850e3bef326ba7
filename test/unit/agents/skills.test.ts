import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlans } from '../../../src/agents/applyPlans.ts';
import { examine } from '../../../src/agents/examine.ts';
import { planToConfigure, planToRemove, USUAL } from '../../../src/agents/plan.ts';
import { entryNamesIn } from '../../../src/util/diskPaths.ts';
import { itWithLinks, removeTemporary } from '../../temporary.ts';
import { makeMachine, type TestMachine, targetOf } from './machine.ts';

const [CODE, REVIEW, RUN] = ['vscode-code-questions', 'vscode-review-with-user', 'vscode-run-and-debug'];
const NAMES = [CODE, REVIEW, RUN];

describe('agents/skills', () => {
  let made: TestMachine;
  beforeEach(() => {
    made = makeMachine();
  });
  afterEach(() => removeTemporary(made.machine.home));

  const [codex, gemini, claude] = ['codex', 'gemini-cli', 'claude-code'].map((id) => targetOf(id)) as [
    ReturnType<typeof targetOf>,
    ReturnType<typeof targetOf>,
    ReturnType<typeof targetOf>,
  ];
  const at = (...names: string[]) => join(made.machine.home, ...names);
  const shared = (...names: string[]) => at('.agents', 'skills', ...names);
  const fileOf = (name: string) => shared(name, 'SKILL.md');
  const textOf = (name: string) => readFileSync(fileOf(name), 'utf8');
  const there = () => NAMES.filter((name) => existsSync(fileOf(name)));
  const stateOf = async (target = codex) => {
    const { state, problem, skills } = (await examine(target, made.launch, made.machine)) ?? {};
    return [state, skills?.state, problem?.replace(/ in .* are/, ' are')];
  };
  const keptOf = async (plan: typeof planToConfigure | typeof planToRemove, target = codex) =>
    (await plan(target, made.launch, made.machine)).flatMap(({ file, isKept }) => (isKept ? [file] : []));
  const without = (skills: boolean) => ({ ...USUAL, skills });
  const planWithout = () => planToConfigure(codex, made.launch, made.machine, without(false));

  it('are files of their own, which removal takes with their folders', async () => {
    assert.deepEqual(await stateOf(), ['absent', undefined, undefined]);
    await made.configure(codex);
    assert.deepEqual(there(), NAMES);
    assert.deepEqual(await stateOf(), ['configured', 'configured', undefined]);
    for (const { before, after } of await planToConfigure(codex, made.launch, made.machine))
      assert.equal(after, before);
    await made.remove(codex);
    assert.ok(!existsSync(at('.agents')));
  });

  it('are written with the entry or not at all, and the error says how to do without them', async function () {
    if (process.platform === 'win32') this.skip();
    mkdirSync(at('.agents'));
    symlinkSync(process.platform === 'linux' ? '/sys' : '/', shared()); // where even root makes no file
    await assert.rejects(made.configure(codex), {
      name: 'UserError',
      message: `${shared()} is read-only. To write the rest alone, turn off the row "Skills" in the list of agents.`,
    });
    assert.deepEqual(await stateOf(), ['absent', undefined, undefined]);
    assert.ok(!existsSync(at('.codex')));
    await applyPlans(await planWithout());
    assert.deepEqual(await stateOf(), ['configured', 'absent', undefined]);
    await made.remove(codex);
  });

  it('of another version are out of date, then written anew; one that is gone is removed', async () => {
    await made.configure(codex);
    const newer = at('newer');
    for (const name of NAMES) {
      mkdirSync(join(newer, name), { recursive: true });
      copyFileSync(join(made.machine.ownSkills ?? '', name, 'SKILL.md'), join(newer, name, 'SKILL.md'));
    }
    appendFileSync(join(newer, RUN, 'SKILL.md'), 'More.\n');
    renameSync(join(newer, CODE), join(newer, 'vscode-code'));
    made.machine = { ...made.machine, ownSkills: newer };
    assert.deepEqual(await stateOf(), [
      'outdated',
      'outdated',
      'The skills are not what this version writes.',
    ]);
    await made.configure(codex);
    assert.deepEqual(entryNamesIn(shared()).sort(), ['vscode-code', REVIEW, RUN]);
    assert.match(textOf(RUN), /More\.\n$/);
    assert.deepEqual(await stateOf(), ['configured', 'configured', undefined]);
  });

  it('stay while another connected agent reads their folder, also if its file is not valid', async () => {
    for (const one of [codex, gemini]) await made.configure(one);
    await made.remove(codex);
    assert.deepEqual(there(), NAMES);
    assert.deepEqual(await stateOf(), ['absent', undefined, undefined]);
    const settings = made.fileOf(gemini);
    const text = readFileSync(settings, 'utf8');
    const isKept = async () => (await planWithout()).every(({ file }) => !file.includes('skills'));
    writeFileSync(settings, `${text}{`);
    assert.ok(await isKept());
    writeFileSync(settings, '{');
    assert.ok(!(await isKept()));
    writeFileSync(settings, text);
    await made.configure(claude);
    await made.remove(gemini);
    assert.ok(!existsSync(at('.agents')));
    assert.deepEqual(entryNamesIn(at('.claude', 'skills')).sort(), NAMES);
  });

  it('are removed from an agent that is to have none', async () => {
    await made.configure(codex);
    const plans = await planWithout();
    assert.deepEqual(
      plans.filter(({ after }) => after === undefined).map(({ file }) => file),
      NAMES.map(fileOf),
    );
  });

  it('that the user has changed stay, and are named', async () => {
    await made.configure(codex);
    const changed = `${textOf(CODE)}Mine.\n`;
    writeFileSync(fileOf(CODE), changed);
    const crlf = textOf(RUN).replaceAll('\n', '\r\n');
    writeFileSync(fileOf(RUN), crlf);
    assert.deepEqual(await stateOf(), ['configured', 'configured', undefined]);
    for (const plan of [planToConfigure, planToRemove])
      assert.deepEqual(await keptOf(plan), [CODE, RUN].map(fileOf));
    await made.remove(codex);
    assert.deepEqual(there(), [CODE, RUN]);
    assert.deepEqual([textOf(CODE), textOf(RUN)], [changed, crlf]);
  });

  it('never replace what somebody else has there, nor name skills of other names', async () => {
    const mine = '---\nname: x\ndescription: Mine\n---\n';
    for (const name of [CODE, 'vscode-extensions']) {
      mkdirSync(shared(name), { recursive: true });
      writeFileSync(fileOf(name), mine);
    }
    mkdirSync(fileOf(REVIEW), { recursive: true });
    writeFileSync(shared(RUN), 'a file');
    assert.deepEqual(await keptOf(planToConfigure), NAMES.map(fileOf));
    await made.configure(codex);
    assert.deepEqual(await stateOf(), ['configured', 'absent', undefined]);
    await made.remove(codex);
    for (const name of [CODE, 'vscode-extensions']) assert.equal(textOf(name), mine);
    assert.equal(readFileSync(shared(RUN), 'utf8'), 'a file');
    assert.ok(lstatSync(fileOf(REVIEW)).isDirectory());
  });

  itWithLinks('follow no link of a skill, also none to nothing', async () => {
    mkdirSync(shared(RUN), { recursive: true });
    mkdirSync(at('mine'));
    writeFileSync(at('mine', 'SKILL.md'), 'mine');
    symlinkSync(at('mine'), shared(CODE));
    symlinkSync(at('nothing'), shared(REVIEW));
    symlinkSync(at('mine', 'SKILL.md'), fileOf(RUN));
    assert.deepEqual(await keptOf(planToConfigure), NAMES.map(fileOf));
    await made.configure(codex);
    await made.remove(codex);
    assert.equal(readFileSync(at('mine', 'SKILL.md'), 'utf8'), 'mine');
    for (const link of [shared(CODE), shared(REVIEW), fileOf(RUN)])
      assert.ok(lstatSync(link).isSymbolicLink());
    assert.ok(!existsSync(at('nothing')));
  });

  itWithLinks('are shared also by a link from one folder to the other', async () => {
    await made.configure(codex);
    mkdirSync(at('.claude'));
    symlinkSync(shared(), at('.claude', 'skills'));
    await made.configure(claude);
    assert.deepEqual(await stateOf(claude), ['configured', 'configured', undefined]);
    await made.remove(claude);
    assert.deepEqual(there(), NAMES);
    await made.configure(claude);
    await made.remove(codex);
    assert.deepEqual(there(), NAMES);
    await made.remove(claude);
    assert.deepEqual(there(), []);
  });

  it('that are left without an entry are told, for agents that are installed, and can be removed', async () => {
    await made.configure(codex);
    rmSync(made.fileOf(codex));
    rmSync(at('.codex', 'hooks.json'));
    const alone = ['outdated', 'configured', 'There are skills without the entry.'];
    assert.deepEqual(await stateOf(), alone);
    assert.deepEqual(await stateOf(gemini), ['absent', undefined, undefined]);
    await made.remove(codex);
    assert.ok(!existsSync(at('.agents')));
  });

  it('are of the user, never of a project, and of agents that read them', async () => {
    await made.configure(targetOf('gemini-cli', 'project'));
    await made.configure(targetOf('cursor'));
    assert.ok(!existsSync(at('.agents')));
  });

  it('are in the folder that a variable of Claude Code names', async () => {
    made.machine = { ...made.machine, env: { CLAUDE_CONFIG_DIR: at('elsewhere') } };
    await made.configure(claude);
    assert.deepEqual(entryNamesIn(at('elsewhere', 'skills')).sort(), NAMES);
  });

  itWithLinks('a file or a link to nothing in place of a folder stops all before it is written', async () => {
    writeFileSync(at('.agents'), '');
    await assert.rejects(made.configure(codex), /\.agents is not a folder/);
    rmSync(at('.agents'));
    symlinkSync(at('nothing'), at('.agents'));
    await assert.rejects(made.configure(codex), /\.agents is not a folder/);
    assert.ok(!existsSync(dirname(made.fileOf(codex))));
  });
});
