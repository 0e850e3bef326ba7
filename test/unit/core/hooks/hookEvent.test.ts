import assert from 'node:assert/strict';
import { hookEventOf, MOST_PATHS, MOST_PROPOSED } from '../../../../src/core/hooks/hookEvent.ts';

const claude = { session_id: 's', transcript_path: '/t', cwd: '/ws', permission_mode: 'default' };
const copilot = { sessionId: 's', timestamp: 1, cwd: '/ws' };
const PATCH = `*** Begin Patch
*** Update File: src/a b.ts
*** Move to: src/c.ts
@@
-*** Delete File: no.ts
+*** Add File: no.ts
*** Add File: ü.ts
+x
*** Delete File: old.ts\r
*** End Patch`;
const PATCHED = ['src/a b.ts', 'src/c.ts', 'ü.ts', 'old.ts'];

/** The event without what all have. */
function told(agent: string, name: string, payload: unknown): object | undefined {
  const event = hookEventOf(agent, name, payload);
  if (!event) return undefined;
  const { agent: _, session, cwd, ...rest } = event;
  assert.deepEqual([session, cwd], ['s', '/ws']);
  return rest;
}

describe('core/hooks/hookEvent', () => {
  it('reads the tools of Claude Code', () => {
    const edit = {
      ...claude,
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_use_id: 'toolu_1',
      tool_input: { file_path: '/ws/a.ts', old_string: 'a', new_string: 'b' },
    };
    const paths = ['/ws/a.ts'];
    const common = { tool: 'Edit', call: 'toolu_1', paths };
    assert.deepEqual(told('claude-code', 'PreToolUse', edit), { moment: 'before', ...common });
    const done = { ...edit, tool_response: { originalFile: 'a', filePath: '/ws/a.ts' } };
    assert.deepEqual(told('claude-code', 'PostToolUse', done), { moment: 'after', ...common });
    const failed = told('claude-code', 'PostToolUseFailure', { ...edit, error: 'no such line' });
    assert.deepEqual(failed, { moment: 'failed', ...common });
    const notebook = { ...claude, tool_name: 'NotebookEdit', tool_input: { notebook_path: '/ws/n.ipynb' } };
    assert.deepEqual(told('claude-code', 'PreToolUse', notebook), {
      moment: 'before',
      tool: 'NotebookEdit',
      paths: ['/ws/n.ipynb'],
    });
    const shell = { ...claude, tool_name: 'Bash', tool_input: { command: `sed  -i\n${'x'.repeat(300)}` } };
    assert.deepEqual(told('claude-code', 'PreToolUse', shell), {
      moment: 'before',
      tool: 'Bash',
      command: `sed -i ${'x'.repeat(193)}`,
    });
  });

  it('reads the patches of Codex, which are no command', () => {
    const input = { ...claude, turn_id: 't', tool_name: 'apply_patch', tool_input: { command: PATCH } };
    assert.deepEqual(told('codex', 'PostToolUse', input), {
      moment: 'after',
      tool: 'apply_patch',
      paths: PATCHED,
    });
    const shell = { ...claude, tool_name: 'Bash', tool_input: { command: 'npm run format' } };
    assert.deepEqual(told('codex', 'PreToolUse', shell), {
      moment: 'before',
      tool: 'Bash',
      command: 'npm run format',
    });
  });

  it('reads the arguments of Copilot as an object, as JSON, and as a patch', () => {
    const args = { path: '/ws/a.ts', old_str: 'a', new_str: 'b' };
    for (const toolArgs of [args, JSON.stringify(args)])
      assert.deepEqual(told('copilot-cli', 'preToolUse', { ...copilot, toolName: 'edit', toolArgs }), {
        moment: 'before',
        tool: 'edit',
        paths: ['/ws/a.ts'],
      });
    const patch = { ...copilot, toolName: 'apply_patch', toolArgs: PATCH, toolResult: {} };
    assert.deepEqual(told('copilot-cli', 'postToolUse', patch), {
      moment: 'after',
      tool: 'apply_patch',
      paths: PATCHED,
    });
    const shell = { ...copilot, toolName: 'bash', toolArgs: '{"command":"ls"}' };
    assert.partialDeepStrictEqual(told('copilot-cli', 'postToolUse', shell), { command: 'ls' });
  });

  it('reads the tools of Gemini CLI, Qwen Code and opencode', () => {
    const write = { ...claude, tool_name: 'write_file', tool_input: { file_path: 'a.ts', content: 'x' } };
    const expected = { moment: 'before', tool: 'write_file', paths: ['a.ts'] };
    assert.deepEqual(told('gemini-cli', 'BeforeTool', write), expected);
    const qwen = told('qwen-code', 'PreToolUse', { ...write, tool_call_id: 'c' });
    assert.deepEqual(qwen, { ...expected, call: 'c' });
    const shell = { ...claude, tool_name: 'run_shell_command', tool_input: { command: 'ls' } };
    assert.partialDeepStrictEqual(told('qwen-code', 'PostToolUse', shell), { command: 'ls' });
    const own = { sessionID: 's', cwd: '/ws', callID: 'c' };
    const edit = { ...own, tool: 'edit', args: { filePath: '/ws/a.ts' } };
    assert.deepEqual(told('opencode', 'after', edit), {
      moment: 'after',
      tool: 'edit',
      call: 'c',
      paths: ['/ws/a.ts'],
    });
    const patch = { ...own, tool: 'apply_patch', args: { patchText: PATCH } };
    assert.partialDeepStrictEqual(told('opencode', 'before', patch), { paths: PATCHED });
  });

  it('tells what the user has sent from the window, without what is around it', () => {
    const sent = 'The user sends you this from VS Code:\nLook at\n@a.ts:1';
    const around = `<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\nStop hook blocking error from command "Stop": ${sent}\n</system-reminder>`;
    for (const prompt of [sent, around])
      assert.deepEqual(told('claude-code', 'UserPromptSubmit', { ...claude, prompt }), {
        moment: 'prompt',
        prompt: 'Look at @a.ts:1',
      });
  });

  it('tells what has ended in the background by its summary', () => {
    const summary = 'MCP task 1 (workspace-mcp/run_command) completed.';
    const prompt = `<task-notification>\n<task-id>k1</task-id>\n<summary>${summary}</summary>\n<result>\nRun 1`;
    assert.deepEqual(told('claude-code', 'UserPromptSubmit', { ...claude, prompt }), {
      moment: 'prompt',
      prompt: summary,
    });
  });

  it('tells the first words of a prompt, and the real prompts of Qwen Code only', () => {
    const prompt = `Fix\n\tthis  ${'🌲'.repeat(100)}`;
    assert.deepEqual(told('gemini-cli', 'BeforeAgent', { ...claude, prompt }), {
      moment: 'prompt',
      prompt: `Fix this ${'🌲'.repeat(35)}`, // 79 units: half a pair is no text
    });
    assert.deepEqual(told('copilot-cli', 'userPromptSubmitted', { ...copilot, prompt: '' }), {
      moment: 'prompt',
    });
    const again = { ...claude, prompt: '' };
    assert.equal(told('qwen-code', 'UserPromptSubmit', again), undefined);
    assert.deepEqual(told('qwen-code', 'UserPromptSubmit', { ...again, submitted_prompt: 'Fix this' }), {
      moment: 'prompt',
      prompt: 'Fix this',
    });
  });

  it('tells whether a turn goes on because of a hook', () => {
    assert.deepEqual(told('codex', 'Stop', { ...claude, stop_hook_active: false }), { moment: 'stop' });
    assert.deepEqual(told('gemini-cli', 'AfterAgent', { ...claude, stop_hook_active: true }), {
      moment: 'stop',
      isContinued: true,
    });
  });

  it('tells what an edit would do only where it waits for permission', () => {
    const proposed = (agent: string, name: string, payload: object) =>
      hookEventOf(agent, name, payload)?.proposed;
    const asks = (tool: string, tool_input: unknown) =>
      proposed('claude-code', 'PermissionRequest', { ...claude, tool_name: tool, tool_input });
    const edit = { file_path: '/a', old_string: 'a', new_string: '', replace_all: true };
    const replacements = [{ old: 'a', by: '', isAll: true }];
    assert.deepEqual(asks('Edit', edit), [{ path: '/a', replacements }]);
    assert.deepEqual(asks('Edit', JSON.stringify(edit)), [{ path: '/a', replacements }]);
    assert.deepEqual(asks('Write', { file_path: '/a', content: '' }), [{ path: '/a', content: '' }]);
    assert.equal(asks('NotebookEdit', { notebook_path: '/a', new_source: 'x' }), undefined);
    assert.equal(asks('Bash', { command: 'rm' }), undefined);
    const whole = (tool_name: string, tool_input: unknown) =>
      hookEventOf('claude-code', 'PermissionRequest', { ...claude, tool_name, tool_input });
    for (const more of [{ path: '/b' }, { content: 'x' }, { patch: PATCH }, { mode: 'force' }])
      assert.equal(whole('Edit', { ...edit, ...more }), undefined, JSON.stringify(more));
    for (const more of [{ dangerouslyDisableSandbox: true }, { workdir: '/etc' }])
      assert.equal(whole('Bash', { command: 'make', ...more }), undefined, JSON.stringify(more));
    const long = 'x'.repeat(MOST_PROPOSED);
    assert.equal(asks('Edit', { file_path: '/a', old_string: 'a', new_string: long }), undefined);
    assert.deepEqual(
      proposed('codex', 'PermissionRequest', {
        ...claude,
        tool_name: 'apply_patch',
        tool_input: { command: PATCH },
      }),
      [{ patch: PATCH }],
    );
    const toolInput = { file_path: '/ws/a.ts', diff: '--- a\n+++ b\n' };
    assert.deepEqual(
      proposed('copilot-cli', 'permissionRequest', { ...copilot, toolName: 'edit', toolInput }),
      [{ patch: '--- a\n+++ b\n' }],
    );
    assert.equal(
      proposed('claude-code', 'PreToolUse', { ...claude, tool_name: 'Edit', tool_input: edit }),
      undefined,
    );
  });

  it('takes tools of MCP servers, ours too, for no event', () => {
    const tools = [
      'mcp__workspace-mcp__edit_file',
      'workspace-mcp-edit_file',
      'edit_file',
      'Read',
      'Edit|Write',
    ];
    for (const tool_name of tools)
      assert.equal(told('claude-code', 'PreToolUse', { ...claude, tool_name, tool_input: {} }), undefined);
  });

  it('takes anything else for no event', () => {
    const event = { ...claude, tool_name: 'Edit', tool_input: {} };
    assert.ok(told('claude-code', 'PreToolUse', event));
    const bad = [undefined, null, 1, 'x', [event], { ...event, cwd: 'ws' }, { ...event, cwd: ['/ws'] }];
    const worse = [
      { ...event, session_id: '' },
      { ...event, session_id: 'x'.repeat(201) },
      { ...event, tool_name: 1 },
    ];
    for (const payload of [...bad, ...worse])
      assert.equal(hookEventOf('claude-code', 'PreToolUse', payload), undefined);
    for (const name of ['SessionStart', 'preToolUse', '__proto__', 'constructor', ''])
      assert.equal(hookEventOf('claude-code', name, event), undefined);
    for (const agent of ['cursor', '__proto__', 'toString', ''])
      assert.equal(hookEventOf(agent, 'PreToolUse', event), undefined);
    assert.equal(hookEventOf('gemini-cli', 'PreToolUse', event), undefined); // its events have names of their own
  });

  it('takes names of objects and deep values as they come', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    const text = `{"__proto__":{"session_id":"x"},"session_id":"s","cwd":"/ws","tool_name":"Edit"}`;
    const payload = { ...JSON.parse(text), tool_input: { file_path: deep } };
    assert.deepEqual(told('claude-code', 'PreToolUse', payload), { moment: 'before', tool: 'Edit' });
    assert.equal(
      hookEventOf('codex', 'Stop', JSON.parse('{"__proto__":{"session_id":"s","cwd":"/ws"}}')),
      undefined,
    );
  });

  it('takes paths of Windows, and not too many of them', () => {
    const of = (cwd: string) => hookEventOf('codex', 'Stop', { ...claude, cwd })?.cwd;
    for (const cwd of ['C:\\ws', 'c:/ws', '\\\\server\\share']) assert.equal(of(cwd), cwd);
    for (const cwd of ['C:ws', 'ws\\a', '.']) assert.equal(of(cwd), undefined);
    const many = Array.from({ length: MOST_PATHS + 1 }, (_, index) => `*** Add File: ${index}`).join('\n');
    const event = { ...claude, tool_name: 'apply_patch', tool_input: { command: many } };
    assert.equal(hookEventOf('codex', 'PreToolUse', event)?.paths?.length, MOST_PATHS);
  });
});
