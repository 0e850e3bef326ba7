import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { awaitedInput } from '../../../src/util/awaitedInput.ts';
import { until } from '../../until.ts';

const LISTENS = 'process.stdin.on("data", () => {})';
const NODE = `"${process.execPath}" -e`;

describe('util/awaitedInput: what the programs in front of a terminal wait for', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  let started: ChildProcess | undefined;
  let printed = '';
  afterEach(() => started?.kill('SIGKILL'));

  /** In a terminal of its own, which `script` makes. @returns the leader of the session */
  async function start(line: string): Promise<number> {
    const child = spawn('script', ['-qfc', `echo $$; ${line}`, '/dev/null']);
    started = child;
    printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    await until(() => printed.includes('\n'), 'the number of the process');
    return Number.parseInt(printed, 10);
  }

  for (const [what, line, hasPrompt] of [
    ['a shell that reads a line', 'printf "Sure? "; read -r answer', true],
    ['a program that prints nothing', 'cat', false],
    ['a menu that takes keys', `${NODE} 'process.stdin.setRawMode(true); ${LISTENS}'`, false],
    ['a question of Node', `${NODE} 'process.stdout.write("name: "); ${LISTENS}'`, true],
  ] as const)
    it(`is typing, for ${what}`, async () => {
      const leader = await start(line);
      await until(() => awaitedInput(leader, hasPrompt) === 'typing', 'that it waits');
    });

  it('is the user, for a question that Git asks in VS Code', async () => {
    const leader = await start('sh -c "sleep 100; :" askpass.sh');
    await until(() => awaitedInput(leader, false) === 'git', 'that it waits');
  });

  it('is not known of a shell that may have run its line; typing, once a command of the shell itself reads', async () => {
    const leader = await start('exec bash --norc -i');
    await until(() => awaitedInput(leader, true) === 'typing', 'that the shell reads');
    assert.equal(awaitedInput(leader, true, true), undefined);
    started?.stdin?.write('read -r answer\n');
    await until(() => awaitedInput(leader, true, true) === 'typing', 'that the command reads');
  });

  for (const [what, line, hasPrompt] of [
    ['a program that works', 'printf Compiling...; echo x; sleep 100', true],
    ['one that listens to the terminal while it works', `${NODE} '${LISTENS}; console.log("x")'`, false],
  ] as const)
    it(`is nothing, for ${what}`, async () => {
      const leader = await start(line);
      await until(() => printed.includes('x'), 'its output');
      assert.equal(awaitedInput(leader, hasPrompt), null);
    });
});
