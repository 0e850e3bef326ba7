/** Commands, tasks, tests and cells in a real VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { examples } from '../examples.ts';
import { agentOfSuite, at, settingsUntil } from '../inside.ts';
import { describeCells } from './cells.ts';
import { ManyTests, Probe } from './probe.ts';
import { userShellTests } from './userShell.ts';

describe('runs of agents', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(after);
  before(() => set('workspaceMcp.approvals', { run: 'allow', task: 'allow', test: 'allow' }));

  /** Starts what prints "begun" and goes on; resolves with its number. */
  const begun = async (tool: string, args: object): Promise<number> => {
    const told = await agent.call(tool, { ...args, wait: 0 });
    const run = Number(/^Run (\d+) .*still runs/.exec(told)?.[1] ?? assert.fail(told));
    assert.match(await agent.call('read_run', { run, until: 'begun' }), /still runs.*\n\nbegun$/s);
    return run;
  };

  it('answer as documented, those of commands', async () => {
    const documented = async (name: string) => {
      const { args, answer } = examples().find((one) => one.name === name) ?? assert.fail(name);
      assert.match((await agent.call(name, args)).trimEnd(), answer);
    };
    await documented('run_command');
    await documented('read_run');
    await agent.call('run_command', { command: 'read -r answer; echo "$answer"', wait: 1 });
    await documented('send_to_run');
    await agent.call('run_command', { command: 'sleep 1000', wait: 0 });
    await documented('stop_run');
    await documented('list_tasks');
    await documented('run_task');
  });

  it('a command has a wide terminal of VS Code, its environment and emulator, and ends with its exit code', async () => {
    const told = await agent.call('run_command', {
      command: `test -t 1 && echo tty; stty size; printf 'old\\n\\033[A\\033[2Knew\\n'; echo $TERM_PROGRAM; pwd; exit 3`,
    });
    assert.match(told, /ended with exit code 3 after .*\n\ntty\n\d+ 400\nnew\nvscode\n.*workspace$/s);
    assert.ok(vscode.window.terminals.some(({ name }) => name === 'Workspace MCP'));
  });

  it('a command that prints 10 MB, with no line end, is answered with its first and last lines', async () => {
    const command = `head -c 9900000 /dev/zero | tr '\\0' x | fold -w 99; printf '\\n\\377\\0 end'`;
    const told = await agent.call('run_command', { command, wait: 50 });
    assert.match(
      told,
      /exit code 0 .*\n\n(x{99}\n)+\[lines \d+ to \d+ are left out .*\]\n(x{99}\n)+\ufffd end$/s,
    );
    assert.ok(told.length < 25_000);
  });

  it('a command that goes on ends when its terminal is closed', async () => {
    const run = await begun('run_command', { command: 'echo begun; sleep 1000' });
    vscode.window.terminals.find(({ name }) => name === 'Workspace MCP')?.dispose();
    const said = await agent.call('read_run', { run, wait: 20 });
    assert.match(said, /was stopped because its terminal or the window was closed, and ended by SIG/);
  });

  describe('in the shell of the user', userShellTests);

  it('tasks are listed, and end with exit code and output, once', async () => {
    const told = await agent.call('list_tasks');
    assert.match(told, /^both: the tasks .*\nfail: echo out.*\nfine: echo fine\n.*npm: test/s);
    const answered = await agent.call('run_task', { task: 'fail' });
    assert.match(answered, /ended with exit code 3 after .*\n\nout\nerr$/s);
    assert.match(
      await agent.call('run_task', { task: 'both' }),
      /ended; VS Code does not tell its exit code/,
    );
    assert.match(
      await agent.call('run_task', { task: 'npm: test' }),
      /ended with exit code 0 after .*✔ adds/s,
    );
    const run = await begun('run_task', { task: 'long' });
    assert.match(await agent.call('stop_run', { run }), /was stopped by an agent/);
  });

  describe('tests', () => {
    it('of no extension are told with the task that may run them', async () => {
      const told = await agent.call('run_tests', { paths: ['test/sum.test.mjs'] });
      assert.match(
        told,
        /^No test extension .* in test\/sum\.test\.mjs\. The task "npm: test" may run them: call run_task\.$/,
      );
    });

    describe('of an extension', () => {
      let probe: Probe;
      before(() => {
        probe = new Probe(vscode.Uri.file(at('test/sum.test.mjs')));
      });
      after(() => probe.dispose());

      it('have outcomes, and what was expected of those that fail, as documented', async () => {
        const { args, answer } = examples().find(({ name }) => name === 'run_tests') ?? assert.fail();
        assert.match(await agent.call('run_tests', args), answer);
        const told = await agent.call('run_tests', { paths: ['test'] });
        assert.match(told, /ended: 1 passed, 1 failed, 1 errored, 1 skipped,? after/);
        assert.match(told, /✗ fails\n {2}expected:\n {2}2\n {2}actual:\n {2}3\n {4}at .*sum\.test\.mjs:4:3/);
        assert.match(
          told,
          /\nfailed sum > fails \(5 ms\), test\/sum\.test\.mjs:4\nerrored sum > errs \(3 ms\), test\/sum\.test\.mjs:7\npassed sum > passes \(12 ms\)\n/,
        );
      });

      it('are run by name, and by line', async () => {
        const file = { paths: ['test/sum.test.mjs'] };
        assert.match(await agent.call('run_tests', { ...file, name: 'pass' }), /1 chosen, none failed/);
        const refused = agent.call('run_tests', { ...file, name: 'gone' });
        await assert.rejects(refused, /No test has "gone".*It has: sum, fails, passes/);
        assert.match(await agent.call('run_tests', { ...file, line: 4 }), /1 chosen, 1 failed/);
      });

      it('may be thousands, of a second extension too; one that goes on is stopped', async () => {
        const [file, slow] = ['many/tests.txt', 'many/slow.txt'];
        const many = new ManyTests(vscode.Uri.file(at(file)), vscode.Uri.file(at(slow)));
        const started = await agent.call('run_tests', { paths: [slow], wait: 2 });
        const [, run] = /^Run (\d+) .*still runs/.exec(started) ?? assert.fail(started);
        assert.match(await agent.call('stop_run', { run: Number(run) }), /was stopped by an agent/);
        const told = await agent.call('run_tests', { paths: [file, 'test/sum.test.mjs'] });
        assert.match(told, /ended: 3001 passed, 1 failed, 1 errored, 1 skipped/);
        assert.match(told, /^✗ fails$[\s\S]*^passed .*test 1 \(1 ms\)$/m);
        many.dispose();
      });
    });
  });
});

describeCells();
