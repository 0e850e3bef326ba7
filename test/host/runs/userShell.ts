/** Commands in the user's own shell, which is bash here. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { agentOfSuite, settingsUntil } from '../inside.ts';

/** As many have it: then bash tells VS Code only the first command of a line. */
const PROFILE = `FROM_PROFILE="it is read"
HISTCONTROL=ignoreboth
alias told='echo aliased'
`;

export function userShellTests(): void {
  const agent = agentOfSuite();
  const set = settingsUntil(after);
  const run = (command: string, wait = 45) => agent.call('run_command', { command, userShell: true, wait });
  const terminals = () => vscode.window.terminals.filter(({ name }) => name === 'Workspace MCP shell');
  const numberOf = (told: string): number => Number(/^Run (\d+)/.exec(told)?.[1]);

  before(async () => {
    const home = mkdtempSync(join(tmpdir(), 'home-'));
    writeFileSync(join(home, '.bashrc'), PROFILE);
    await set('terminal.integrated.env.linux', { HOME: home });
  });

  after(() => {
    for (const terminal of terminals()) terminal.dispose(); // one is the user's by now
  });

  it('has what the profile sets, and exit code and clean output, in a new terminal each time', async () => {
    const told = await run('printf "\\e[31m%s\\e[0m\\n" "$FROM_PROFILE"; mine=set; cd /; (exit 3)');
    assert.match(told, /ended with exit code 3 after [^\n]*\n\nit is read$/);
    assert.match(await run('echo "<$mine>"; pwd'), /exit code 0 after [^\n]*\n\n<>\n\S*workspace$/);
    assert.match(
      await run(`(told "it's a!b !! # c") # d ; e`),
      /code 0 after [^\n]*\n\naliased it's a!b !! # c$/,
    );
    assert.match(await run('echo "'), /ended with exit code 2 after/);
    assert.equal(terminals().length, 1);
    assert.match(await run('exit 4'), /ended with exit code 4/);
  });

  it('is typed into, and ended by Ctrl+C of the user, whose next command is not its own', async () => {
    const told = await run('read -r name; echo "got $name"; sleep 1000', 4);
    const id = numberOf(told);
    assert.match(await agent.call('send_to_run', { run: id, text: 'me' }), /got me/);
    const terminal = terminals().at(-1) ?? assert.fail();
    terminal.sendText('\x03', false);
    const ended = await agent.call('read_run', { run: id, wait: 20 });
    assert.match(ended, /ended with exit code 130/);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const listening = vscode.window.onDidEndTerminalShellExecution(resolve);
    terminal.sendText('echo mine');
    await promise;
    listening.dispose();
    assert.equal(await agent.call('read_run', { run: id }), ended);
    await run('true');
    assert.ok(terminals().includes(terminal), 'the user has used it');
  });

  it('is stopped with its children, also if they ignore Ctrl+C and the end of the terminal', async () => {
    const told = await run(`bash -c 'trap "" INT HUP; echo $$; sleep 1000; sleep 1000'`, 4);
    const pid = Number(/\n\n(\d+)$/.exec(told)?.[1] ?? assert.fail(told));
    const stopped = await agent.call('stop_run', { run: numberOf(told) });
    assert.match(stopped, /was stopped by an agent, and ended; VS Code does not tell its exit code/);
    await until('the end of the child', async () => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
  });
}
