import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRun } from '../../../../src/services/run/agentRun.ts';
import { AgentRuns } from '../../../../src/services/run/agentRuns.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { onlyOnPosix } from '../../../temporary.ts';
import { ends } from '../../hosting/support.ts';
import { folderWith, cleanUp as removeFolders } from '../../workspace/openWindow.ts';

const SIGNAL = new AbortController().signal;
const AUTHOR = { id: 1, agent: 'Example Agent' };

describe('services/run/agentRuns: a command', () => {
  onlyOnPosix(); // of a Bourne shell
  const clock = holdClock();
  let runs: AgentRuns;
  let fake: FakeVscode;
  let cwd: string;
  const start = (line: string, env = {}): AgentRun =>
    runs.startCommand({ line, cwd, env: { ...process.env, ...env } }, AUTHOR);
  /** Lets the time between SIGTERM and SIGKILL pass, in which it is looked at again and again. */
  const done = (run: AgentRun, isEnough?: () => boolean) =>
    clock.settle(run.wait(20_000, SIGNAL, isEnough), 100);
  const ended = async (line: string, env = {}): Promise<AgentRun> => {
    const run = start(line, env);
    await done(run);
    return run;
  };
  const textOf = ({ output: { head, tail } }: AgentRun): string => [...head, ...tail].join('\n');

  beforeEach(() => {
    cwd = folderWith();
    fake = FakeVscode.create({ folders: [cwd] });
    runs = new AgentRuns(fake.api);
  });
  afterEach(() => {
    runs.dispose();
    removeFolders();
  });

  it('has exit code, output of both streams, folder and environment', async () => {
    const run = await ended('pwd; echo $GREETING >&2; exit 3', { GREETING: 'hello' });
    assert.deepEqual(run.result, { exitCode: 3 });
    assert.deepEqual(textOf(run).split('\n').sort(), [cwd, 'hello'].sort());
  });

  it('has the signal that ended it, or why it could not start', async () => {
    assert.deepEqual((await ended('kill -9 $$')).result, { signal: 'SIGKILL' });
    fake.api.workspace; // a shell that is gone
    Object.assign(fake.api.env, { shell: '/gone/bash' });
    assert.match((await ended('true')).result?.failed ?? '', /ENOENT/);
  });

  it('is run by the user’s shell, never by a program of the repository', async () => {
    writeFileSync(join(cwd, 'bash'), '#!/bin/sh\necho other\n', { mode: 0o755 });
    for (const shell of [join(cwd, 'bash'), './bash', 'bash', '']) {
      Object.assign(fake.api.env, { shell });
      assert.equal(textOf(await ended('echo shown')), 'shown', shell);
    }
  });

  it('is shown in a terminal, into which the user types; the next one uses the same terminal', async () => {
    const run = start('read -r name; echo "got $name"');
    const [terminal] = fake.runs.pseudoterminals;
    assert.ok(terminal);
    terminal.opens();
    terminal.types('me\r');
    await done(run);
    assert.match(terminal.text, /Example Agent: read -r name.*me\r\ngot me\r\n.*Exit code: 0/s);
    await ended('echo next');
    assert.match(terminal.text, /next\r\n/);
    assert.equal(fake.runs.pseudoterminals.length, 1);
  });

  it('is stopped with its children, by an agent or by Ctrl+C; one that ignores SIGTERM is killed', async () => {
    for (const stop of [
      (run: AgentRun) => run.running?.stop('agent'),
      () => fake.runs.pseudoterminals[0]?.types('\x03'),
    ]) {
      const run = start('trap "" TERM; sleep 1000 & echo $!; wait');
      await done(run, () => run.output.count > 0);
      const [child] = textOf(run).split('\n');
      stop(run);
      await done(run);
      assert.equal(run.result?.signal, 'SIGKILL');
      await ends(Number(child));
    }
  });

  it('ends what it has left in the background', async () => {
    const run = await ended('sleep 1000 & echo $!');
    assert.deepEqual(run.result, { exitCode: 0, hadRest: true });
    await ends(Number(textOf(run)));
  });

  it('leaves alone what has left its group', async () => {
    const run = await ended('setsid sleep 1000 >/dev/null 2>&1 & echo $!');
    const pid = Number(textOf(run));
    assert.ok(process.kill(pid));
    await ends(pid);
  });

  it('may print anything, and nothing that a terminal does not show is kept', async () => {
    let seed = 1;
    const bytes = Buffer.alloc(300_000).map(() => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed >> 8;
    });
    writeFileSync(join(cwd, 'bytes'), bytes);
    const run = await ended('cat bytes; printf "\\n\\033c\\0\\1no line end"');
    const lines = textOf(run).split('\n');
    assert.equal(lines.at(-1), 'no line end');
    assert.ok(!lines.some((line) => /[\p{Cc}]/u.test(line.replaceAll(/[\t\x80-\x9f]/g, ''))));
  });

  it('goes on beside others, in a terminal of its own; closing the terminal stops it', async () => {
    const [one, two] = [start('sleep 1000'), start('sleep 1000')];
    assert.equal(fake.runs.pseudoterminals.length, 2);
    fake.runs.pseudoterminals[1]?.closes();
    await done(two);
    assert.deepEqual([one.result, two.result?.stoppedBy], [undefined, 'closing']);
  });

  it('waits for no input before it has been silent for 1 s since it could take any', async () => {
    const run = runs.begin({ kind: 'task', title: 'build', author: AUTHOR });
    run.running = { stop() {} };
    await clock.pass(5_000);
    run.takeInput({ awaits: () => 'typing' });
    assert.equal(run.awaited, undefined);
    await clock.pass(1_000);
    assert.equal(run.awaited, 'typing');
  });

  it('is refused beside twenty others, and the last fifty are kept', async () => {
    const running = Array.from({ length: 20 }, () => start('sleep 1000'));
    assert.throws(() => start('true'), /20 runs .* go on .* Stop one with stop_run/);
    for (const run of running) run.running?.stop('agent');
    for (const run of running) await done(run);
    for (let run = 0; run < 35; run++) await ended(':');
    assert.equal(runs.all.length, 50);
    assert.throws(() => runs.get(1), /There is no run 1\./);
  });

  it('is ended with the process of VS Code, however that ends', async () => {
    const script = `
      import { AgentRuns } from ${JSON.stringify(new URL('../../../../src/services/run/agentRuns.ts', import.meta.url).href)};
      import { FakeVscode } from ${JSON.stringify(new URL('../../../fakes/vscode.ts', import.meta.url).href)};
      const runs = new AgentRuns(FakeVscode.create({ folders: ['/'] }).api);
      const run = runs.startCommand({ line: 'sleep 1000 & echo $!; wait', cwd: '/', env: {} }, { id: 1, agent: 'a' });
      run.onDidChange(() => { console.log(run.output.tail[0]); process.kill(process.pid, 'SIGKILL'); });`;
    let printed = '';
    try {
      execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
        encoding: 'utf8',
      });
    } catch (error) {
      printed = (error as { stdout: string }).stdout;
    }
    const pid = Number(printed);
    assert.ok(pid > 1, printed);
    await ends(pid);
  });
});
