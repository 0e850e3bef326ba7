import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { applyPlans } from '../../../../src/agents/applyPlans.ts';
import { examine } from '../../../../src/agents/examine.ts';
import { valueAt } from '../../../../src/agents/formats/format.ts';
import { json } from '../../../../src/agents/formats/json.ts';
import { planToConfigure, USUAL } from '../../../../src/agents/plan.ts';
import { HOOK_TOOL } from '../../../../src/core/hooks/hookPrograms.ts';
import { entryNamesIn } from '../../../../src/util/diskPaths.ts';
import { removeTemporary } from '../../../temporary.ts';
import { variants } from '../files.ts';
import { makeMachine, type TestMachine, targetOf } from '../machine.ts';

/** Names of the events in the order of our moments. */
const EVENTS = {
  'claude-code': [
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'Stop',
  ],
  codex: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop'],
  'gemini-cli': ['BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent'],
  'qwen-code': ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop'],
};

/** Hooks of others, for an event of the program. */
const OTHERS: Record<string, (event: string) => string> = {
  'an empty object': () => '{}\n',
  'settings without hooks': () => '{\n  "model": "x" // mine\n}\n',
  'empty hooks': () => '{\n  "hooks": {},\n  "model": "x"\n}\n',
  'an empty event': (event) => `{\n  "hooks": {\n    "${event}": []\n  }\n}\n`,
  'a hook of others': (event) =>
    `{\n  "hooks": {\n    "${event}": [\n      {\n        "hooks": [{ "type": "command", "command": "say done" }] // loud\n      }\n    ]\n  }\n}\n`,
  'several, with comments and trailing commas': (event) =>
    `{\n\t"hooks": {\n\t\t// all of them\n\t\t"${event}": [\n\t\t\t{ "matcher": "*", "hooks": [], }, /* one */\n\t\t\t{ "hooks": [{ "type": "command", "command": "b" }] }, // two\n\t\t],\n\t\t"Other": [{ "hooks": [] }],\n\t},\n}\n`,
  'one line': (event) => `{"a":1,"hooks":{"${event}":[{"hooks":[{"type":"command","command":"b"}]}]}}`,
  'groups on one line': (event) =>
    `{\n  "hooks": {\n    "${event}": [{ "hooks": [] }, {\n      "hooks": []\n    }]\n  }\n}\n`,
};

describe('agents/hooks/sharedHooks', () => {
  let made: TestMachine;
  beforeEach(() => {
    made = makeMachine();
  });
  afterEach(() => removeTemporary(made.machine.home));

  const fileOf = (id: string) => targetOf(id).program.hooks?.files(made.machine)[0] ?? '';
  const put = (id: string, text: string) => {
    mkdirSync(dirname(fileOf(id)), { recursive: true });
    writeFileSync(fileOf(id), text);
  };
  const textOf = (id: string) => readFileSync(fileOf(id), 'utf8');
  /** Without the prototypes of the parser. */
  const parsedOf = (id: string) => JSON.parse(JSON.stringify(json.parse(textOf(id).replace(/^\ufeff/, ''))));
  const stateOf = async (id: string) =>
    (await examine(targetOf(id), made.launch, made.machine))?.hooks?.state;
  const plansOf = (id: string, hooks = true) =>
    planToConfigure(targetOf(id), made.launch, made.machine, { ...USUAL, hooks });

  async function roundTrip(id: string, before: string): Promise<void> {
    put(id, before);
    const old = parsedOf(id).hooks ?? {};
    assert.equal(await stateOf(id), 'absent');
    await made.configure(targetOf(id));
    assert.equal(await stateOf(id), 'configured');
    for (const plan of await plansOf(id)) assert.equal(plan.after, plan.before);
    for (const [event, groups] of Object.entries<unknown[]>(parsedOf(id).hooks)) {
      const before: unknown[] = old[event] ?? [];
      assert.deepEqual(groups.slice(0, before.length), before);
      assert.equal(groups.length, before.length + (event === 'Other' ? 0 : 1));
    }
    const after = textOf(id);
    if (before.includes('\r\n')) assert.doesNotMatch(after, /[^\r]\n/);
    for (const [comment] of before.matchAll(/\/\/.*|\/\*.*?\*\//g))
      assert.ok(after.includes(comment), comment);
    await made.remove(targetOf(id));
    assert.equal(textOf(id), before);
    assert.ok(!entryNamesIn(dirname(fileOf(id))).some((name) => name.includes('backup')));
  }

  for (const [id, events] of Object.entries(EVENTS)) {
    for (const [what, text] of Object.entries(OTHERS))
      it(`${id}: go behind those of others, once, and away byte for byte: ${what}`, async () => {
        const texts = Object.values(variants).map((change) => change(text(events[1] ?? '')));
        for (const before of new Set(texts)) await roundTrip(id, before);
      });

    it(`${id}: a file that another program has written meanwhile loses just them`, async () => {
      const [event = ''] = events;
      const others = {
        model: 'x',
        hooks: { [event]: [{ hooks: [{ type: 'command', command: 'b' }] }], Mine: [] },
      };
      put(id, JSON.stringify(others));
      await made.configure(targetOf(id));
      put(id, JSON.stringify({ ...parsedOf(id), more: 1 }, null, 4));
      await made.remove(targetOf(id));
      assert.deepEqual(parsedOf(id), { ...others, more: 1 });
    });

    it(`${id}: are written once, and repaired in their places`, async () => {
      const [event = ''] = events;
      await made.configure(targetOf(id));
      const { hooks } = parsedOf(id);
      const [ours] = hooks[event];
      const other = { type: 'command', command: 'mine' };
      const old = JSON.parse(JSON.stringify(ours).replaceAll(/\d+\}/g, '77}'));
      const mixed = [old, { hooks: [other, ...ours.hooks] }, { hooks: [other] }, ours];
      put(id, JSON.stringify({ ...parsedOf(id), hooks: { ...hooks, [event]: mixed } }));
      assert.equal(await stateOf(id), 'outdated');
      await made.configure(targetOf(id));
      assert.deepEqual(parsedOf(id).hooks[event], [ours, { hooks: [other] }, { hooks: [other] }]);
      assert.equal(await stateOf(id), 'configured');
    });

    it(`${id}: go where they are not wanted, and the entry stays`, async () => {
      put(id, '{}\n');
      await made.configure(targetOf(id));
      await applyPlans(await plansOf(id, false));
      assert.doesNotMatch(textOf(id), /hook/);
      const found = await examine(targetOf(id), made.launch, made.machine);
      assert.deepEqual([found?.state, found?.hooks?.state], ['configured', 'absent']);
      await made.remove(targetOf(id));
      assert.equal(textOf(id), '{}\n');
    });

    it(`${id}: a file that is not valid is refused, or where more would change`, async () => {
      for (const [text, problem] of [
        ['{\n  "hooks": {\n', /line 3:/],
        ['{ "hooks": [] }', /edited safely/],
        [`{ "hooks": { "${events[0]}": {} } }`, /edited safely/],
      ] as const) {
        put(id, text);
        await assert.rejects(plansOf(id), { name: 'UserError', message: problem });
        assert.equal(textOf(id), text);
      }
    });
  }

  it('keep nobody from an entry without them: the error says so, and the entry is written alone', async () => {
    for (const [id, text] of [
      ['claude-code', '{\n  "hooks": {\n'],
      ['codex', '{ "hooks": "off" }'],
      ['gemini-cli', '{ "hooks": false }'],
    ] as const) {
      put(id, text);
      const message = /settings\.json|hooks\.json.* turn off the row "Hooks"/;
      await assert.rejects(plansOf(id), { name: 'UserError', message });
      await applyPlans(await plansOf(id, false));
      assert.equal((await examine(targetOf(id), made.launch, made.machine))?.state, 'configured');
      if (id !== 'gemini-cli') assert.equal(textOf(id), text);
    }
    put('qwen-code', '{\n  "mcpServers": {\n'); // its entry cannot be written either
    await assert.rejects(plansOf('qwen-code'), ({ message }: Error) => !message.includes('Hooks'));
  });

  it('of another home of the shim are repaired, and what only looks like them is left alone', async () => {
    const other = { hooks: [{ type: 'command', command: '/usr/bin/shim.js hook me' }] };
    put('codex', JSON.stringify({ hooks: { Stop: [other] } }));
    const usual = made.launch;
    made.launch = { ...usual, shim: "/srv/o'n/state/shim.js" };
    await made.configure(targetOf('codex'));
    made.launch = usual;
    assert.equal(await stateOf('codex'), 'outdated');
    await made.configure(targetOf('codex'));
    assert.equal(await stateOf('codex'), 'configured');
    assert.deepEqual(parsedOf('codex').hooks.Stop[0], other);
    assert.equal(parsedOf('codex').hooks.Stop.length, 2);
  });

  it('an entry is out of date with its hooks, and alone they can be removed', async () => {
    const claude = targetOf('claude-code');
    await made.configure(claude);
    put('claude-code', textOf('claude-code').replace('"timeout": 5', '"timeout": 1'));
    const problem = `The hooks in ${fileOf('claude-code')} are not what this version writes.`;
    const stated = async () => {
      const found = await examine(claude, made.launch, made.machine);
      return [found?.state, found?.problem];
    };
    assert.deepEqual(await stated(), ['outdated', problem]);
    writeFileSync(made.fileOf(claude), '{}');
    assert.deepEqual(await stated(), ['outdated', 'There are hooks without the entry.']);
    await made.remove(claude);
    assert.deepEqual(await stated(), ['absent', undefined]);
  });

  it('are of the user, never of a project: Copilot CLI would run those of Claude Code too', async () => {
    for (const id of ['claude-code', 'gemini-cli', 'qwen-code', 'opencode']) {
      const plans = await planToConfigure(targetOf(id, 'project'), made.launch, made.machine);
      assert.equal(plans.length, 1);
      assert.doesNotMatch(plans[0]?.after ?? '', /hook/);
    }
  });

  it('of Claude Code name our entry, and start no process', async () => {
    const servers = { 'workspace-mcp': { command: 'other', args: [] } };
    writeFileSync(made.fileOf(targetOf('claude-code')), JSON.stringify({ mcpServers: servers }));
    await made.configure(targetOf('claude-code'));
    const { hooks } = parsedOf('claude-code');
    assert.partialDeepStrictEqual(hooks.PreToolUse, [
      {
        matcher: 'Edit|Write|NotebookEdit|Bash',
        hooks: [{ type: 'mcp_tool', server: 'workspace-mcp-vscode', tool: HOOK_TOOL, timeout: 1 }],
      },
    ]);
    assert.deepEqual([hooks.Stop[0].matcher, hooks.PermissionRequest[0].hooks[0].timeout], [undefined, 60]);
  });

  it('of Claude Code leave a process running at the end of a turn', async () => {
    await made.configure(targetOf('claude-code'));
    const [{ hooks }, ...others] = parsedOf('claude-code').hooks.Stop;
    const line = `node '${made.launch.shim.replaceAll('\\', '/')}' hook claude-code wait`;
    assert.deepEqual(others, []);
    assert.deepEqual(hooks[0].type, 'mcp_tool');
    assert.deepEqual(hooks.slice(1), [
      { type: 'command', command: line, timeout: 86_400, asyncRewake: true },
    ]);
  });

  it('have limits in the unit of the agent, and no event that its agent does not run', async () => {
    for (const [id, limit] of [
      ['codex', 5],
      ['gemini-cli', 5_000],
      ['qwen-code', 5_000],
    ] as const) {
      await made.configure(targetOf(id));
      const { hooks } = parsedOf(id);
      assert.deepEqual(Object.keys(hooks), EVENTS[id]);
      assert.equal(hooks[EVENTS[id][1] ?? ''][0].hooks[0].timeout, limit);
    }
  });

  it('start the shim in the shell that their agent has', () => {
    const launch = { ...made.launch, shim: 'D:\\Zoë M\\.workspace-mcp\\shim.js' };
    const shim = 'D:/Zoë M/.workspace-mcp/shim.js';
    const own = { ...launch, command: 'C:\\Code\\Code.exe', env: { ELECTRON_RUN_AS_NODE: '1' } };
    const first = (id: string, start: typeof launch, platform: NodeJS.Platform) => {
      const [part] = targetOf(id).program.hooks?.wanted({}, { launch: start, server: '', platform }) ?? [];
      return valueAt(part?.value, ['hooks', 0]) as { command: string };
    };
    assert.equal(first('codex', launch, 'win32').command, `node "${shim}" hook codex UserPromptSubmit`);
    assert.equal(first('gemini-cli', launch, 'win32').command, `node '${shim}' hook gemini-cli BeforeAgent`);
    assert.partialDeepStrictEqual(first('qwen-code', own, 'win32'), {
      shell: 'powershell',
      command: `$env:ELECTRON_RUN_AS_NODE = '1'; C:\\Code\\Code.exe '${shim}' hook qwen-code UserPromptSubmit`,
    });
    const posix = { ...own, command: '/opt/VS Code/code', shim: "/opt/o'n/shim.js" };
    const line = `ELECTRON_RUN_AS_NODE=1 '/opt/VS Code/code' '/opt/o'\\''n/shim.js' hook codex UserPromptSubmit`;
    assert.deepEqual(first('codex', posix, 'linux'), { type: 'command', command: line, timeout: 5 });
  });
});
