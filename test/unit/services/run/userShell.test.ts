import assert from 'node:assert/strict';
import type { AgentRun } from '../../../../src/services/run/agentRun.ts';
import { AgentRuns } from '../../../../src/services/run/agentRuns.ts';
import { holdClock } from '../../../fakes/clock.ts';
import type { FakeShell } from '../../../fakes/runs.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { until } from '../../../until.ts';

const AUTHOR = { id: 1, agent: 'Example Agent' };

describe('services/run/userShell: a line in the shell of the user', () => {
  const clock = holdClock();
  let runs: AgentRuns;
  let fake: FakeVscode;

  beforeEach(() => {
    fake = FakeVscode.create({ folders: ['/'] });
    runs = new AgentRuns(fake.api);
  });
  afterEach(() => runs.dispose());

  const start = (line: string, id = AUTHOR.id): [AgentRun, FakeShell] => {
    const run = runs.startInUserShell({ line, cwd: '/' }, { ...AUTHOR, id });
    return [run, fake.runs.shells.at(-1) ?? assert.fail()];
  };
  const joins = (shell: FakeShell, path = '/') => shell.joins(fake.api.Uri.file(path));
  /** It is typed, and begins. */
  const begun = async (line: string, id?: number) => {
    const [run, shell] = start(line, id);
    joins(shell);
    await clock.pass(1_000);
    const execution = shell.given[0] ?? assert.fail('nothing was typed');
    fake.runs.enters(shell, line, execution);
    return { run, shell, execution };
  };
  const ended = async (line: string, id?: number) => {
    const all = await begun(line, id);
    fake.runs.ends(all.shell, all.execution, 0);
    await clock.pass(1_000);
    return all;
  };
  const textOf = ({ output: { head, tail } }: AgentRun): string => [...head, ...tail].join('\n');

  it('has exit code and output without marks of VS Code and colours', async () => {
    const { run, shell, execution } = await begun('build');
    execution.prints('\x1b]633;C\x07\x1b[31mred\x1b[0m\r\n');
    execution.prints('zsh\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m     \r \r');
    fake.runs.ends(shell, execution, 3);
    await clock.pass(1_000);
    await until(() => run.result !== undefined, 'the end');
    assert.deepEqual([run.result, textOf(run)], [{ exitCode: 3 }, 'red\nzsh']);
  });

  it('without an exit code has none, which is no success', async () => {
    const { run, shell, execution } = await begun('build');
    fake.runs.ends(shell, execution);
    await clock.pass(1_000);
    assert.deepEqual(run.result, {});
  });

  it('waits for what an extension runs first in the terminal, and takes none of it for its own', async () => {
    const [run, shell] = start('build');
    joins(shell);
    const activation = fake.runs.enters(shell, 'source venv');
    await clock.pass(5_000);
    assert.equal(shell.given.length, 0);
    fake.runs.ends(shell, activation, 1);
    await clock.pass(1_000);
    assert.deepEqual([shell.given.length, run.result], [1, undefined]);
  });

  it('is quoted for bash and zsh, and is not what the user runs before it begins', async () => {
    const [run, shell] = start("echo 'a' !!");
    joins(shell);
    await clock.pass(1_000);
    assert.equal(shell.given[0]?.commandLine.value, "eval 'echo '\\''a'\\'' !!'");
    const mine = fake.runs.enters(shell, 'mine');
    mine.prints('mine\r\n');
    fake.runs.ends(shell, mine, 7);
    await clock.pass(1_000);
    assert.deepEqual([run.result, textOf(run)], [undefined, '']);
  });

  it('is quoted for fish too, which would expand abbreviations', async () => {
    const [, shell] = start(String.raw`ll 'a\b' \\`);
    Object.assign(shell.state, { shell: 'fish' });
    joins(shell);
    await clock.pass(1_000);
    assert.equal(shell.given[0]?.commandLine.value, String.raw`eval 'll \'a\\b\' \\\\'`);
  });

  it('is not ended by what runs in other terminals, or before or after it; a terminal that the user has used stays', async () => {
    const { run, shell, execution } = await begun('build');
    const other = fake.runs.opensTerminal('bash');
    fake.runs.ends(other, fake.runs.enters(other, 'build'), 1);
    await clock.pass(1_000);
    assert.equal(run.result, undefined);
    fake.runs.ends(shell, execution, 0);
    const mine = fake.runs.enters(shell, 'mine'); // typed ahead
    mine.prints('mine\r\n');
    fake.runs.ends(shell, mine, 7);
    await ended('next');
    assert.deepEqual([run.result, textOf(run)], [{ exitCode: 0 }, '']);
    assert.equal(shell.exitStatus, undefined);
  });

  it('has a new terminal each time; that of an earlier one of the same agent is closed, of a namesake not', async () => {
    const { shell: one } = await ended('one');
    const { shell: others } = await ended('two', 2);
    const { shell: goesOn } = await begun('three');
    await ended('four');
    const shown = [one, others, goesOn].map(({ exitStatus }) => exitStatus !== undefined);
    assert.deepEqual(shown, [true, false, false]);
    assert.equal(fake.runs.shells.length, 4);
  });

  for (const [what, joined, reason] of [
    [
      'without shell integration',
      undefined,
      /cannot tell what runs .* integration is off, or the profile waits for the user; nothing ran/,
    ],
    ['in another folder than asked for', '/usr', /profile goes to [/\\]usr; nothing ran/],
  ] as const)
    it(`${what} is not run, and leaves no terminal`, async () => {
      const [run, shell] = start('build');
      if (joined) joins(shell, joined);
      await clock.pass(16_000);
      assert.match(run.result?.failed ?? '', reason);
      assert.deepEqual([shell.given, shell.typed, shell.exitStatus?.reason], [[], [], 4]);
    });

  it('is not typed where the user runs a program by then, which goes on', async () => {
    const [run, shell] = start('build');
    joins(shell);
    fake.runs.enters(shell, 'vim');
    await clock.pass(16_000);
    assert.match(run.result?.failed ?? '', /something else runs in the new terminal; nothing ran/);
    assert.deepEqual([shell.given, shell.exitStatus], [[], undefined]);
  });

  it('takes no input before it begins and once it has ended', async () => {
    const [waiting, other] = start('build');
    joins(other);
    assert.equal(waiting.running?.send, undefined);
    const { run, shell, execution } = await begun('build');
    run.running?.send?.('yes\r');
    assert.deepEqual(shell.typed, ['yes\r']);
    fake.runs.ends(shell, execution, 0);
    assert.deepEqual([run.result, run.running?.send, run.running?.awaits], [undefined, undefined, undefined]);
  });

  it('whose beginning is never told ends with its terminal', async () => {
    const [run, shell] = start('echo "');
    joins(shell);
    await clock.pass(11_000);
    assert.match(run.result?.failed ?? '', /did not tell VS Code that it runs the line/);
    assert.ok(shell.exitStatus);
  });

  it('is stopped by Ctrl+C, and by closing its terminal 3 s later; before it is typed, at once', async () => {
    const { run, shell } = await begun('build');
    run.running?.stop('agent');
    assert.deepEqual(shell.typed, ['\x03']);
    await clock.pass(2_900);
    assert.deepEqual([run.result, shell.exitStatus], [undefined, undefined]);
    await clock.pass(200);
    assert.deepEqual([run.result, shell.exitStatus?.reason], [{ stoppedBy: 'agent' }, 4]);
    const [early, closed] = start('build');
    early.running?.stop('user');
    await clock.pass(100);
    joins(closed);
    await clock.pass(1_000);
    assert.deepEqual([early.result, closed.given], [{ stoppedBy: 'user' }, []]);
  });

  it('ends with its terminal: closed by the user, by the line itself, or with the window', async () => {
    const { run: one, shell } = await begun('build');
    shell.closes();
    const { run: two, shell: exits } = await begun('exit 4');
    exits.closes(fake.api.TerminalExitReason.Process, 4);
    const { run: three, shell: last } = await begun('build');
    runs.dispose();
    const results = [one, two, three].map(({ result }) => result);
    assert.deepEqual(results, [{ stoppedBy: 'user' }, { exitCode: 4 }, { stoppedBy: 'closing' }]);
    assert.ok(last.exitStatus);
    assert.equal(fake.runs.listeners, 0);
  });
});
