/**
 * What the real programs of agents do with their own tools, as our hooks tell it, and what their scripted model hears: the hooks are
 * those that Connect Agent writes.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEdit, Deed } from '../../src/workspace/edit/journal.ts';
import { Range, Selection } from '../fakes/text.ts';
import { onPosix } from '../temporary.ts';
import { useMachine } from '../wire/harness.ts';
import { plant, type TestWindow } from '../wire/testWindow.ts';
import { reviewHooks } from './codex.ts';
import { type Own, owns } from './ownTools.ts';
import { checksTypeScript, readsAgain } from './playedCode.ts';
import { installed, output, prepareHome } from './programs.ts';
import { type Call, startModel, type Turn } from './scriptedModel.ts';

const COMMITTED = { 'a.ts': 'zero\n', 'b.ts': 'two\n', 'dirty.ts': 'one\n', 'gone.ts': 'gone\n' };
/** What the person has written since, which no commit has. */
const CHANGED = { 'a.ts': 'one\n', 'dirty.ts': 'two\n' };
const COMMAND = 'sed -i s/two/2/ b.ts dirty.ts && echo new > made.ts && rm gone.ts';
/** 30 files, as a formatter writes them that finds something it cannot mend. */
const FORMAT = 'sed -i s/1/2/ many/*.ts; exit 3';
const MANY = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`many/${at + 1}.ts`, '1\n']));

describe('agents: hooks of real programs', () => {
  const machines = useMachine();

  for (const row of owns)
    onPosix(row.title, async () => {
      await installed(row.program);
      const window = await machines.open({ trees: { ws: { ...COMMITTED, ...MANY } } });
      beginGit(window);
      const ends = playCode(window);
      const file = window.path('a.ts');
      window.says('b.ts', [1, 1], 'Make it 2.');
      const edit = [...(row.read ? [row.read(file)] : []), row.edit(file, 'one', 'bad')];
      const failing = row.edit(window.path('b.ts'), 'no such line', 'bad');
      const script = [...edit, failing, row.shell(COMMAND), row.shell(FORMAT)];
      const { turns, agents } = await run(row, script, window, machines.root).finally(ends);
      checkJournal(row, window, agents);
      /** The first request with so many results. */
      const heard = (count: number) => turns.find(({ results }) => results.length === count)?.text ?? '';
      assert.match(heard(0), /#1 b\.ts:1: Make it 2\./);
      assert.match(heard(0), /The user has selected b\.ts:1:\\+ntwo/);
      assert.doesNotMatch(heard(edit.length - 1), /New errors/);
      assert.match(heard(edit.length), /New errors after your edit:\\+na\.ts\\+n {2}1:1 error It is bad\./);
      assert.equal(window.fake.documents.find(({ isDirty }) => isDirty)?.getText(), 'unsaved\n');

      window.server.stop();
      const silent = await run(row, script, window, machines.root);
      const without = await run(row, script, window, machines.root, false);
      assert.ok(without.turns.some(({ results }) => results.length === script.length));
      assert.deepEqual(silent.turns.map(comparable), without.turns.map(comparable));
    }).timeout(600_000);

  // `codex exec` asks for nothing, and the other programs have no such hook.
  for (const row of owns.filter(({ title }) => /^claude|^copilot, Messages/.test(title)))
    onPosix(`${row.title}: the window answers what it would ask`, async () => {
      await installed(row.program);
      const window = await machines.open({ trees: { ws: COMMITTED } });
      beginGit(window);
      window.fake.person.sets('workspaceMcp.hooks.permission', true);
      window.consent.answers.push({ deny: 'keep it' }, { allow: 'once' });
      const script = ['rm a.ts', 'rm gone.ts'].map(row.shell);
      const { turns } = await run(withQuestions(row), script, window, machines.root);
      assert.match(turns.at(-1)?.results[0] ?? '', /keep it/);
      const isThere = ['a.ts', 'gone.ts'].map((name) => existsSync(window.path(name)));
      assert.deepEqual(isThere, [true, false]);
      const asked = window.consent.questions.map(({ commandLine }) => commandLine);
      assert.deepEqual(asked, ['rm a.ts', 'rm gone.ts']);
    }).timeout(600_000);
});

const withQuestions = ({ drive, ...row }: Own): Own => ({
  ...row,
  allow: [],
  drive(...given) {
    const { args, ...how } = drive(...given);
    return { ...how, args: args.filter((word) => word !== '--allow-all-tools') };
  },
});

const git = (window: TestWindow, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: window.path(),
    stdio: 'pipe',
  });

function beginGit(window: TestWindow): void {
  git(window, 'init', '--quiet', '--initial-branch=main');
  git(window, 'add', '.');
  git(window, 'commit', '--quiet', '--message=a');
  window.fake.git.opens(window.fake.api.Uri.file(window.path()));
}

/** VS Code reads files again, and TypeScript finds the word `bad`. The person has selected and typed. Returns what ends it. */
function playCode(window: TestWindow): () => void {
  const { fake } = window;
  for (const name of ['review', 'problems', 'selection', 'comments'])
    fake.person.sets(`workspaceMcp.hooks.${name}`, true);
  checksTypeScript(window, (text) => text.includes('bad'));
  const shown = fake.person.opensTab(window.path('b.ts'));
  Object.assign(fake.tabs.at(-1) ?? {}, { isActive: true });
  const visibleRanges = [new Range(0, 0, 1, 0)];
  fake.activeTextEditor = { document: shown, selections: [new Selection(0, 0, 1, 0)], visibleRanges };
  const typed = fake.person.loads(window.path('dirty.ts'));
  fake.person.types(typed, 'unsaved\n');
  return readsAgain(window);
}

/** One turn in the same folder and an empty home. Returns the requests to the model, and ids of the agents that were connected. */
async function run(
  { id, program, drive, allow }: Own,
  script: readonly Call[],
  window: TestWindow,
  root: string,
  withHooks = true,
): Promise<{ turns: Turn[]; agents: number[] }> {
  git(window, 'checkout', '--quiet', '.');
  git(window, 'clean', '--quiet', '--force', '-d');
  plant(window.path(), CHANGED);
  rmSync(join(root, 'home'), { recursive: true, force: true });
  const { surroundings, configure, examined } = prepareHome(root, window.path());
  await configure(id, 'user', withHooks);
  if (program === 'codex' && withHooks) {
    await reviewHooks(surroundings);
    assert.deepEqual((await examined(id))?.hooks?.reviewed, { count: 5, all: 5 });
  }
  const turns: Turn[] = [];
  let agents: number[] = [];
  const model = await startModel(script, (turn) => {
    turns.push(turn);
    agents = window.agents.map((agent) => agent.id);
  });
  try {
    const { args, env = {} } = drive(model.url, surroundings);
    await output(program, [...args, ...allow], { ...surroundings, env });
  } finally {
    model.close();
  }
  return { turns, agents };
}

/** All is of the turn, and of the agent's MCP session. */
function checkJournal(
  { edit, shell, names }: Own,
  { journal }: TestWindow,
  [agent]: readonly number[],
): void {
  const [ofEdit, ofShell] = names ?? [edit('', '', '').name, shell('').name];
  const told = ({ author, tool, turn = 0, deeds }: AgentEdit) => [
    author.id,
    journal.turn(turn)?.title,
    tool,
    ...deeds.map(shown).sort(),
  ];
  const formatted = Object.keys(MANY).map((path) => [path, '1\n', '2\n']);
  const changed = [
    ['b.ts', 'two\n', '2\n'],
    ['dirty.ts', 'two\n', '2\n'],
    ['gone.ts', 'delete', 'gone\n'],
    ['made.ts', 'create', 'new\n'],
  ];
  assert.deepEqual(journal.edits.map(told), [
    [agent, 'go', ofEdit, ['a.ts', 'one\n', 'bad\n']],
    [agent, 'go', `${ofShell}: ${COMMAND}`, ...changed],
    [agent, 'go', `${ofShell}: ${FORMAT}`, ...formatted.sort()],
  ]);
}

/** The texts before and after, or what became of a file. */
function shown(deed: Deed): string[] {
  if (deed.type === 'edit') return [deed.path, deed.before, deed.after];
  const texts = 'files' in deed ? (deed.files ?? []).map(({ bytes }) => `${bytes}`) : [];
  return [deed.path, deed.type, ...texts];
}

/** A request without what differs from run to run: ids, times, and numbers of processes. */
const comparable = ({ text }: Turn): object =>
  JSON.parse(
    text
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{64}|(?<!\d)\d{13}(?!\d)/g, '0')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, '0')
      .replaceAll(/((?:Chunk ID|PGID|Wall time): )[\da-f.]+/g, '$10'),
  );
