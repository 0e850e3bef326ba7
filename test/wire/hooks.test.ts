import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HookEvent, HookReply } from '../../src/core/hooks/event.ts';
import { HOOK_METHOD } from '../../src/core/hooks/hookPrograms.ts';
import { dial } from '../../src/ipc/dial.ts';
import { readRecord } from '../../src/ipc/windowRecord.ts';
import type { Author } from '../../src/workspace/edit/journal.ts';
import { onPosix, useDirectory } from '../temporary.ts';
import { calling, textOf } from './calling.ts';
import { until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';
import { nodesAtHand, openEchoWindow, type RunningShim, startShim } from './shimSupport.ts';
import type { TestWindow } from './testWindow.ts';

interface Taken {
  event: HookEvent;
  author: Author;
  signal: AbortSignal;
}

/** Has the events of a window taken by the test. */
function taking(
  window: TestWindow,
  reply: () => Promise<HookReply> = async () => ({ context: 'Told' }),
): Taken[] {
  const taken: Taken[] = [];
  window.hooks.take = (event, ctx, signal) => {
    taken.push({ event, author: ctx.author(), signal });
    return reply();
  };
  return taken;
}

/** How a hook has ended that is given so many bytes or fields. */
async function endOf(hook: RunningShim, input: string | object): Promise<string> {
  hook.process.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const { code, stdout, stderr } = await hook.ended;
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

const never = () => new Promise<never>(() => {});

describe('wire: hooks', () => {
  const machine = useMachine();

  interface Where {
    node?: string;
    cwd?: string;
    env?: NodeJS.ProcessEnv;
  }

  function start(args: string[], { node = process.execPath, cwd = 'ws', env = {} }: Where = {}) {
    const directory = join(machine.root, cwd);
    mkdirSync(directory, { recursive: true });
    const home = join(machine.root, 'state');
    return startShim(node, { home, cwd: directory, args: ['hook', ...args], env });
  }

  const cwd = (folder = 'ws') => join(machine.root, folder);
  const prompt = (more: object = {}) => ({ session_id: 's1', cwd: cwd(), prompt: 'Fix this', ...more });
  const codex = (more: object = {}) => endOf(start(['codex', 'UserPromptSubmit']), prompt(more));

  it('brings an event to the window, and prints its answer in the form of the agent', async () => {
    const window = await machine.open();
    const taken = taking(window);
    const nested = { hookEventName: 'UserPromptSubmit', additionalContext: 'Told' };
    for (const { path } of nodesAtHand()) {
      const said = await endOf(start(['codex', 'UserPromptSubmit'], { node: path }), prompt());
      assert.deepEqual(JSON.parse(said), { hookSpecificOutput: nested });
      taken.splice(1);
    }
    const patch = '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch';
    const edit = { sessionId: 's2', cwd: cwd(), toolName: 'apply_patch', toolArgs: patch, toolResult: {} };
    const flat = await endOf(start(['copilot-cli', 'postToolUse'], { cwd: 'elsewhere' }), edit);
    assert.deepEqual(JSON.parse(flat), { additionalContext: 'Told' });
    assert.deepEqual(
      taken.map(({ event: { at = 0, ...event } }) => {
        assert.ok(Math.abs(Date.now() - at) < 60_000);
        return event;
      }),
      [
        { agent: 'codex', moment: 'prompt', session: 's1', cwd: cwd(), prompt: 'Fix this' },
        {
          agent: 'copilot-cli',
          moment: 'after',
          session: 's2',
          cwd: cwd(),
          tool: 'apply_patch',
          paths: ['a.ts'],
        },
      ],
    );
  });

  it('says nothing where there is no window, or none with the directory', async () => {
    assert.equal(await codex(), '');
    const window = await machine.open({ trees: { other: {} } });
    const taken = taking(window);
    assert.equal(await codex(), '');
    assert.deepEqual(taken, []);
    // One in whose terminal the agent runs fits.
    const env = { WORKSPACE_MCP_WINDOW: window.server.id };
    assert.notEqual(await endOf(start(['codex', 'UserPromptSubmit'], { env }), prompt()), '');
    const rival = taking(await machine.open({ trees: { other: {} } }));
    assert.equal(await codex({ cwd: cwd('other') }), '');
    assert.deepEqual([taken.length, rival.length], [1, 0], 'one of two equal windows was picked');
  });

  it('says nothing of a bad payload, whatever is wrong with it', async () => {
    const taken = taking(await machine.open());
    const inputs = [
      '',
      '{',
      'null',
      '[]',
      '{"__proto__":1}',
      prompt({ cwd: 'ws' }),
      prompt({ session_id: 1 }),
    ];
    const huge = ['['.repeat(100_000), JSON.stringify(prompt({ prompt: 'x'.repeat(17 * 1024 * 1024) }))];
    for (const input of [...inputs, ...huge])
      assert.equal(await endOf(start(['codex', 'UserPromptSubmit']), input), '');
    for (const args of [[], ['codex'], ['cursor', 'Stop'], ['__proto__', 'Stop'], ['codex', 'SessionStart']])
      assert.equal(await endOf(start(args), prompt()), '');
    assert.deepEqual(taken, []);
    const mark = await endOf(start(['codex', 'UserPromptSubmit']), `\uFEFF${JSON.stringify(prompt())}`);
    assert.notEqual(mark, '');
  });

  it('says nothing in a window that is not trusted, and changes nothing there', async () => {
    const taken = taking(await machine.open({ isTrusted: false }));
    assert.equal(await codex(), '');
    assert.deepEqual(taken, []);
  });

  it('says since when the agent waits: what the window sees later may be written already', async () => {
    const [window] = [await machine.open(), await machine.open()];
    const taken = taking(window);
    let asked = 0;
    window.responds = async () => {
      await delay(20);
      asked = Date.now();
      return true;
    };
    const env = { WORKSPACE_MCP_WINDOW: window.server.id };
    assert.notEqual(await endOf(start(['codex', 'UserPromptSubmit'], { env }), prompt()), '');
    assert.ok((taken[0]?.event.at ?? asked) < asked);
  });

  it('does not wait for a busy window, nor for input that does not come', async () => {
    const taken = taking(await machine.open(), never);
    const before = { ...prompt(), tool_name: 'Bash', tool_input: { command: 'ls' } };
    assert.equal(await endOf(start(['codex', 'PreToolUse']), before), '');
    await until(() => taken.every(({ signal }) => signal.aborted), 'the signal');
    const { code, stdout } = await start(['codex', 'PreToolUse']).ended;
    assert.deepEqual([code, stdout], [0, '']);
  });

  it('is no agent, and ends its question with the process or its reader', async function () {
    const window = await machine.open();
    const taken = taking(window, never);
    const ask = () => {
      const hook = start(['codex', 'PermissionRequest']);
      hook.process.stdin.end(JSON.stringify({ ...prompt(), tool_name: 'Bash', tool_input: {} }));
      return hook;
    };
    const killed = ask();
    await until(() => taken.length === 1, 'the question');
    assert.deepEqual([window.agents, window.server.connections], [[], 0]);
    killed.process.kill();
    await until(() => taken[0]?.signal.aborted === true, 'the end of the question');
    if (process.platform === 'win32') this.skip();
    const unread = ask();
    await until(() => taken.length === 2, 'the question');
    unread.process.stdout.destroy();
    await until(() => taken[1]?.signal.aborted === true, 'the end of the question');
    assert.equal((await unread.ended).code, 0);
  });

  onPosix('answers into a plain pipe as well', async () => {
    taking(await machine.open(), async () => {
      await delay(200);
      return { permission: { isAllowed: true } };
    });
    const piped = join(machine.root, 'piped');
    writeFileSync(piped, `#!/bin/sh\n"${process.execPath}" "$@" | cat\n`, { mode: 0o700 });
    const hook = start(['codex', 'PermissionRequest'], { node: piped });
    const decision = { behavior: 'allow' };
    assert.deepEqual(JSON.parse(await endOf(hook, { ...prompt(), tool_name: 'Bash', tool_input: {} })), {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
    });
  });

  describe('a process that waits for words of the user', () => {
    const CLI = { CLAUDE_CODE_ENTRYPOINT: 'cli' };
    const startWaiting = (agent: string, env: NodeJS.ProcessEnv = CLI) => {
      const hook = start([agent, 'wait'], { env });
      hook.process.stdin.end(JSON.stringify({ session_id: 's', cwd: cwd() }));
      return hook;
    };
    const idle = ({ hooks }: TestWindow) =>
      until(() => hooks.sessions.receivers()[0]?.wakes === true, 'the process that waits');

    it('brings them in the form of its agent', async () => {
      const window = await machine.open();
      const text = 'The user sends you this from VS Code:\nLook';
      const waking = { code: 2, stdout: '', stderr: text };
      const plain = { code: 0, stdout: JSON.stringify({ context: text }), stderr: '' };
      for (const [agent, end] of [
        ['claude-code', waking],
        ['opencode', plain],
      ] as const) {
        const hook = startWaiting(agent);
        await idle(window);
        assert.equal(await window.hooks.sessions.send(`${agent} s`, 'Look', []), 'now');
        assert.deepEqual(await hook.ended, end);
      }
    });

    it('ends where Claude Code has no terminal: it would wait for it', async () => {
      const window = await machine.open();
      for (const env of [{ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, { CLAUDE_CODE_ENTRYPOINT: undefined }])
        assert.deepEqual(await startWaiting('claude-code', env).ended, { code: 0, stdout: '', stderr: '' });
      assert.deepEqual(window.hooks.sessions.receivers(), []);
    });

    it('ends with the next one, the next prompt and the window', async () => {
      const window = await machine.open();
      const silent = { code: 0, stdout: '', stderr: '' };
      const first = startWaiting('claude-code');
      await idle(window);
      const second = startWaiting('claude-code');
      assert.deepEqual(await first.ended, silent);
      await endOf(start(['claude-code', 'UserPromptSubmit']), prompt({ session_id: 's' }));
      assert.deepEqual(await second.ended, silent);
      const last = startWaiting('claude-code');
      await idle(window);
      window.server.stop('stopped');
      assert.deepEqual(await last.ended, silent);
    });

    onPosix('ends with its agent', async () => {
      const window = await machine.open();
      const hook = startWaiting('claude-code');
      await idle(window);
      hook.process.stdout.destroy();
      assert.equal((await hook.ended).code, 0);
      await until(() => window.hooks.sessions.receivers()[0]?.wakes === false, 'the end in the window');
    });
  });

  it('says nothing where the window closes meanwhile', async () => {
    const window = await machine.open();
    const taken = taking(window, never);
    const hook = start(['copilot-cli', 'permissionRequest']);
    const toolInput = { path: 'a', old_str: 'a', new_str: 'b' };
    const ending = endOf(hook, { sessionId: 's', cwd: cwd(), toolName: 'edit', toolInput });
    await until(() => taken.length === 1, 'the question');
    window.server.stop('stopped');
    assert.equal(await ending, '');
    await until(() => taken[0]?.signal.aborted === true, 'the end of the question');
  });

  describe('whose they are', () => {
    const named = async (name: string, env: Record<string, string> = {}): Promise<RawAgent> => {
      const agent = machine.agent('ws', env);
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } };
      await agent.request('initialize', params);
      agent.notify('notifications/initialized');
      return agent;
    };
    const qwen = (session_id: string, more: object = {}) =>
      endOf(start(['qwen-code', 'Stop']), prompt({ session_id, ...more }));

    it('the session tells it, by its environment or by its calls', async () => {
      const window = await machine.open();
      const taken = taking(window);
      await named('qwen-code', { QWEN_CODE_SESSION_ID: 'q1' });
      await named('qwen-code', { QWEN_CODE_SESSION_ID: 'q2' });
      await qwen('q2');
      await qwen('q1', { cwd: cwd('ws/sub') });
      const threads = [await named('codex-mcp-client'), await named('codex-mcp-client')];
      for (const [index, agent] of threads.entries())
        await agent.request('tools/call', {
          name: 'get_workspace',
          _meta: { 'x-codex-turn-metadata': { session_id: `t${index}` } },
        });
      await codex({ session_id: 't1' });
      const [one, two, , last] = window.agents.map(({ id }) => id);
      assert.deepEqual(
        taken.map(({ author }) => author.id),
        [two, one, last],
      );
    });

    it('the program and the directory tell it, if it is the only such session', async () => {
      const window = await machine.open();
      const taken = taking(window);
      await named('gemini-cli-mcp-client');
      await named('qwen-code');
      await qwen('q1');
      await qwen('q1', { cwd: cwd('ws/sub') });
      await named('qwen-code');
      await qwen('q1');
      const [, { id = 0 } = {}] = window.agents;
      assert.deepEqual(
        taken.map(({ author }) => author.id === id),
        [true, false, false],
      );
    });

    it('an agent without a session is an author of its own, always the same', async () => {
      const window = await machine.open();
      const taken = taking(window);
      await codex();
      await qwen('s1');
      await codex();
      const [first, other, again] = taken.map(({ author }) => author);
      assert.deepEqual([first?.agent, other?.agent], ['Codex', 'Qwen Code']);
      assert.deepEqual(again, first);
      assert.notEqual(other?.id, first?.id);
      assert.deepEqual(window.agents, []);
    });
  });

  describe('a peer that knows the token', () => {
    async function entered(): Promise<Socket> {
      const record = readRecord(join(machine.root, 'state'), 'window1');
      assert.ok(record);
      const { socket, enter } = await dial(record);
      await enter({ purpose: 'hook' });
      return socket;
    }

    const event = () => ({ agent: 'codex', moment: 'after', session: 's', cwd: cwd() });

    /** The answer to a line, and nothing after it. */
    async function answered(line: string): Promise<unknown> {
      const socket = await entered();
      socket.write(`${line}\n${line}\n`);
      let read = '';
      for await (const chunk of socket.setEncoding('utf8')) read += chunk;
      return JSON.parse(read).result.answer;
    }

    const asking = (params: unknown, method = HOOK_METHOD) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

    it('gets nothing for what is no event', async () => {
      const taken: readonly Taken[] = taking(await machine.open());
      const wrong = [
        { agent: '__proto__' },
        { agent: 'cursor' },
        { moment: 'constructor' },
        { cwd: 'ws' },
        { session: 'x'.repeat(201) },
        { paths: Array(501).fill('a') },
        { paths: ['x'.repeat(4_097)] },
        { paths: '/a' },
        { tool: {} },
        { command: 'x'.repeat(20_001) },
        { proposed: [{ path: '/a' }] },
        { isContinued: 'yes' },
      ];
      const lines = [
        ...wrong.map((fields) => asking({ ...event(), ...fields })),
        asking(event(), 'tools/list'),
      ];
      const deep = `{"method":"${HOOK_METHOD}","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
      for (const line of [...lines, asking(null), 'null', 'x', '', deep])
        assert.equal(await answered(line), '');
      assert.equal(taken.length, 0);
      assert.notEqual(await answered(asking({ ...event(), later: 1 })), '');
      assert.deepEqual(
        taken.map(({ event }) => event),
        [event()],
      );
    });

    it('is cut off where it sends no end of a line, and leaves nothing behind where it goes', async () => {
      await machine.open();
      const [long, gone] = [await entered(), await entered()];
      long.on('error', () => {});
      gone.destroy();
      long.write('x'.repeat(13 * 1024 * 1024));
      await until(() => long.destroyed, 'the end of the connection');
    });
  });

  describe('the tool of Claude Code', () => {
    const clientInfo = { name: 'claude-code', version: '2.1.332' };
    async function claude(window: TestWindow, name = clientInfo.name): Promise<RawAgent> {
      const agent = window.rawAgent();
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { ...clientInfo, name } };
      await agent.request('initialize', params);
      agent.notify('notifications/initialized');
      return agent;
    }
    const edit = () => ({
      event: 'PostToolUse',
      session: 's',
      cwd: cwd(),
      tool: 'Edit',
      call: 'c',
      path: join(cwd(), 'a.ts'),
      notebook: '',
      command: '',
    });
    const namesOf = async (agent: RawAgent): Promise<string[]> =>
      (await agent.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);

    it('brings an event of its session, and answers with JSON', async () => {
      const window = await machine.open();
      const taken = taking(window);
      const agent = await claude(window);
      const result = await calling(agent, 'agent_hook', edit());
      const nested = { hookEventName: 'PostToolUse', additionalContext: 'Told' };
      assert.deepEqual(JSON.parse(textOf(result)), { hookSpecificOutput: nested });
      assert.deepEqual(taken[0]?.event, {
        agent: 'claude-code',
        moment: 'after',
        session: 's',
        cwd: cwd(),
        tool: 'Edit',
        call: 'c',
        paths: [join(cwd(), 'a.ts')],
      });
      assert.equal(taken[0]?.author.id, window.agents[0]?.id);
      assert.deepEqual(window.agents[0]?.calls, []);
      const input = JSON.stringify({ file_path: '/a', content: 'x' });
      await calling(agent, 'agent_hook', { ...edit(), event: 'PermissionRequest', tool: 'Write', input });
      assert.deepEqual(taken[1]?.event.proposed, [{ path: '/a', content: 'x' }]);
      await calling(agent, 'agent_hook', {
        event: 'Stop',
        session: 's',
        cwd: cwd(),
        continued: 'true',
        newer: '',
      });
      assert.deepEqual(taken[2]?.event.isContinued, true);
      assert.equal(textOf(await calling(agent, 'agent_hook', { ...edit(), tool: 'Read' })), '{}');
      assert.equal(taken.length, 3);
    });

    it('does nothing for a model', async () => {
      const window = await machine.open();
      const taken = taking(window);
      const agent = await claude(window);
      const byModel = (params: object) =>
        agent.request('tools/call', { ...params, _meta: { 'claudecode/toolUseId': 'toolu_1' } });
      const direct = await byModel({ name: 'agent_hook', arguments: edit() });
      assert.match(textOf(direct.result), /is for hooks/);
      const args = { name: 'agent_hook', arguments: edit() };
      assert.match(textOf((await byModel({ name: 'call_tool', arguments: args })).result), /is for hooks/);
      assert.deepEqual(taken, []);
    });

    it('is there for Claude Code alone', async () => {
      const window = await machine.open();
      const taken = taking(window);
      assert.ok((await namesOf(await claude(window))).includes('agent_hook'));
      const other = await claude(window, 'gemini-cli-mcp-client');
      assert.ok(!(await namesOf(other)).includes('agent_hook'));
      assert.match(textOf(await calling(other, 'agent_hook', edit())), /Unknown tool/);
      assert.doesNotMatch(
        textOf(await calling(other, 'find_tools', { query: 'agent_hook hook' })),
        /agent_hook/,
      );
      assert.deepEqual(taken, []);
    });

    it('does not wait for a window that has gone', async () => {
      const window = await machine.open();
      const agent = await claude(window);
      const taken = taking(window, never);
      const open = calling(agent, 'agent_hook', edit());
      await until(() => taken.length > 0, 'the hook');
      window.server.stop(); // as a reload: other calls wait for it
      assert.equal(textOf(await open), '{}');
      const waiting = calling(agent, 'get_workspace');
      assert.equal(textOf(await calling(agent, 'agent_hook', edit())), '{}');
      await window.server.start();
      await waiting;
    });
  });
});

describe('wire: hooks of an older window', () => {
  const base = useDirectory();

  it('print nothing: such a window serves MCP', async () => {
    const home = join(base.path, 'home', 'state');
    for (const folder of ['run', 'ws']) mkdirSync(join(base.path, folder), { recursive: true });
    const window = await openEchoWindow(base.path, { home, folder: 'ws' });
    base.atEnd(() => window.stop());
    const cwd = join(base.path, 'ws');
    const hook = startShim(process.execPath, { home, cwd, args: ['hook', 'codex', 'UserPromptSubmit'] });
    assert.equal(await endOf(hook, { session_id: 's', cwd, prompt: 'x' }), '');
  });
});
