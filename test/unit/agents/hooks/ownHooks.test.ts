import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { examine } from '../../../../src/agents/examine.ts';
import { removeTemporary } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { makeMachine, type TestMachine, targetOf } from '../machine.ts';

describe('agents/hooks/ownHooks', () => {
  let made: TestMachine;
  beforeEach(() => {
    made = makeMachine();
  });
  afterEach(() => removeTemporary(made.machine.home));

  const fileOf = (id: string) => targetOf(id).program.hooks?.files(made.machine)[0] ?? '';
  const stateOf = async (id: string) =>
    (await examine(targetOf(id), made.launch, made.machine))?.hooks?.state;

  for (const id of ['copilot-cli', 'opencode'])
    it(`${id}: are a file, which is written anew when its command changes, and deleted`, async () => {
      const target = targetOf(id);
      assert.equal(await stateOf(id), 'absent');
      await made.configure(target);
      assert.equal(await stateOf(id), 'configured');
      made.launch = { ...made.launch, env: { WORKSPACE_MCP_HOME: '/elsewhere' } };
      assert.equal(await stateOf(id), 'outdated');
      await made.configure(target);
      assert.equal(await stateOf(id), 'configured');
      assert.match(readFileSync(fileOf(id), 'utf8'), /\/elsewhere/);
      await made.remove(target);
      assert.ok(!existsSync(dirname(fileOf(id))));
    });

  it('a file of somebody else comes back', async () => {
    mkdirSync(dirname(fileOf('opencode')), { recursive: true });
    writeFileSync(fileOf('opencode'), '// mine\n');
    await made.configure(targetOf('opencode'));
    await made.remove(targetOf('opencode'));
    assert.equal(readFileSync(fileOf('opencode'), 'utf8'), '// mine\n');
  });

  it('of Copilot CLI have a line for each kind of shell, and name their event', async () => {
    await made.configure(targetOf('copilot-cli'));
    const { version, hooks } = JSON.parse(readFileSync(fileOf('copilot-cli'), 'utf8'));
    const names = ['userPromptSubmitted', 'preToolUse', 'postToolUse', 'permissionRequest', 'agentStop'];
    assert.deepEqual([version, Object.keys(hooks)], [1, names]);
    const line = `node '${made.launch.shim.replaceAll('\\', '/')}' hook copilot-cli preToolUse`;
    const matcher = 'edit|create|apply_patch|bash|powershell';
    const hook = { type: 'command', bash: line, powershell: line, matcher, timeoutSec: 5 };
    assert.deepEqual(hooks.preToolUse, [hook]);
  });

  /** A module of opencode whose shim is a script. */
  async function moduleWith(script: string, client?: object) {
    writeFileSync(made.launch.shim, script);
    made.launch = { ...made.launch, command: process.execPath };
    await made.configure(targetOf('opencode'));
    const copy = join(made.machine.home, 'module.mjs');
    writeFileSync(copy, readFileSync(fileOf('opencode')));
    const { WorkspaceMcp, ...others } = await import(pathToFileURL(copy).href);
    assert.deepEqual(others, {});
    return WorkspaceMcp({ directory: '/ws', client });
  }

  it('of opencode add what the window answers to the prompt and to results', async () => {
    const hooks = await moduleWith(
      "let all = '';process.stdin.on('data', (text) => (all += text)).on('end', () => console.log(JSON.stringify({ context: process.argv.slice(2).join(' ') + all })));",
    );
    const message = { parts: [{ type: 'file' }, { type: 'text', text: 'do' }] };
    await hooks['chat.message']({ sessionID: 's' }, message);
    const sent = '{"sessionID":"s","cwd":"/ws","prompt":"do"}';
    assert.equal(message.parts[1]?.text, `do\n\nhook opencode prompt${sent}`);
    const call = { tool: 'edit', sessionID: 's', callID: 'c', args: { filePath: 'a' } };
    const result = { output: 'done' };
    await hooks['tool.execute.before'](call, { args: call.args });
    await hooks['tool.execute.after'](call, result);
    assert.match(
      result.output,
      /^done\n\nhook opencode after\{.*"tool":"edit","callID":"c","args":\{"filePath":"a"\}\}$/,
    );
    const read = { output: 'text' };
    await hooks['tool.execute.after']({ ...call, tool: 'read' }, read);
    assert.equal(read.output, 'text');
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
  });

  it('of opencode wait while it is idle, one process at a time, and send what comes', async () => {
    const prompts: unknown[] = [];
    const session = {
      get: async ({ path: { id } }: { path: { id: string } }) => ({
        data: id === 'helper' ? { parentID: 's' } : {},
      }),
      promptAsync: async (prompt: unknown) => prompts.push(prompt),
    };
    const went = join(made.machine.home, 'went');
    const hooks = await moduleWith(
      `const { existsSync } = require('node:fs');
      const [, moment] = process.argv.slice(3);
      const answer = () => console.log(JSON.stringify({ context: 'Look, ' + process.pid }));
      if (moment === 'wait') setInterval(() => existsSync(${JSON.stringify(went)}) && process.exit(answer()), 5);`,
      { session },
    );
    const idle = (sessionID: string) =>
      hooks.event({ event: { type: 'session.idle', properties: { sessionID } } });
    for (const id of ['s', 's', 's', 'helper']) await idle(id);
    writeFileSync(went, '');
    await until(() => prompts.length > 0, 'the prompt');
    assert.partialDeepStrictEqual(prompts, [{ path: { id: 's' }, body: { parts: [{ type: 'text' }] } }]);
  });

  it('of opencode change nothing when something fails', async () => {
    for (const script of [
      '',
      'console.log("no JSON")',
      'console.log("null")',
      'process.exit(1)',
      'process.stdin.destroy()',
    ]) {
      const hooks = await moduleWith(script);
      const message = { parts: [{ type: 'text', text: 'do' }] };
      await hooks['chat.message']({ sessionID: 's' }, message);
      assert.deepEqual(message.parts, [{ type: 'text', text: 'do' }], script);
      await hooks['chat.message']({}, {});
      await hooks['tool.execute.after']({ tool: 'bash' }, {});
      await hooks.event({});
    }
  });
});
