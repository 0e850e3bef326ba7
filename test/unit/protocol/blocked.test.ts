import assert from 'node:assert/strict';
import type { ApprovalKind, Operation } from '../../../src/access/accessSettings.ts';
import { features } from '../../../src/features/index.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { toolsFor } from '../../../src/protocol/toolList.ts';
import { callTool } from '../../../src/protocol/tools.ts';
import {
  BREAKPOINTS,
  DELETES,
  type Doing,
  EACH,
  EDITS,
  openAll,
  TESTS,
  toolNamed,
  UNASKED,
} from '../features/doings.ts';
import { CALL, cleanUp, textsOf, type Window } from '../features/window.ts';

const OPERATIONS: Operation[] = ['read', 'edit', 'delete', 'run', 'command', 'server'];
const KINDS: ApprovalKind[] = ['edit', 'delete', 'run', 'task', 'test', 'debug', 'command', 'server'];

/** The arguments of tools that are not among the doings, for calls that answer something. */
const LOOKS: Record<string, object> = {
  read_file: { path: 'a.ts' },
  list_directory: {},
  find_files: { query: 'a' },
  search_text: { query: 'only' },
  ask_user: { message: 'Which?' },
  get_editor_state: {},
  open_file: { path: 'a.ts' },
  add_comment: { path: 'a.ts', line: 1, text: 'x' },
  list_comments: {},
  resolve_comment: { id: 1 },
  get_diagnostics: { paths: ['a.ts'] },
  lsp_request: {
    method: 'textDocument/documentSymbol',
    params: { textDocument: { uri: 'a.ts' } },
  },
  list_symbols: { path: 'a.ts' },
  ...Object.fromEntries(
    ['get_symbol', 'find_definition', 'find_references', 'find_calls', 'find_types'].map((name) => [
      name,
      { path: 'a.ts', symbol: 'A' },
    ]),
  ),
  get_change_impact: { paths: ['a.ts'] },
  list_tasks: {},
  read_run: {},
  debug_state: {},
  list_commands: { query: 'shop' },
  get_settings: { query: 'editor' },
  get_workspace: {},
  select_window: {},
  propose_edit: { path: 'a.ts', newText: 'x' },
};

const DOINGS: Doing[] = [EDITS, DELETES, TESTS, BREAKPOINTS, EACH, UNASKED].flatMap(Object.values);

const doingsOf = ({ name, input }: Tool): Doing[] => {
  const looks = LOOKS[name];
  if (looks) return [{ tool: name, args: looks }];
  const doings = DOINGS.filter(({ tool }) => tool === name);
  const dry = doings.map((one) => ({ ...one, args: { ...one.args, dryRun: true } }));
  return 'dryRun' in input.shape ? [...doings, ...dry] : doings;
};

/** What an answer says if a rule of the window refuses the call. */
const REFUSED =
  /setting workspaceMcp\.(access\.allowedOperations|approvals|tools\.(groups|disabled))|This workspace is not trusted/;

/** What the user has set: in the settings, or by trust. */
interface Rule {
  name: string;
  isTrusted?: boolean;
  settings?: Record<string, unknown>;
}

const sets = (setting: string, value: unknown, name = JSON.stringify(value)): Rule => ({
  name: `${setting} ${name}`,
  settings: { [`workspaceMcp.${setting}`]: value },
});

const RULES: Rule[] = [
  ...OPERATIONS.map((off) => {
    const others = OPERATIONS.filter((one) => one !== off);
    return sets('access.allowedOperations', others, `without ${off}`);
  }),
  sets('access.allowedOperations', ['read']),
  ...KINDS.map((kind) => sets('approvals', { [kind]: 'deny' })),
  sets('tools.groups', { run: false }),
  sets('tools.disabled', ['edit_file']),
  { name: 'an untrusted workspace', isTrusted: false },
];

const OPEN: Rule = { name: 'none' };

const opened = ({ isTrusted = true }: Rule): Window => openAll({ isTrusted });

function applies({ settings = {} }: Rule, { fake }: Window): void {
  for (const [name, value] of Object.entries(settings)) fake.person.sets(name, value);
}

/** What a call answers under the rule; the user denies everything. */
async function answered({ tool: name, args, before = [], isOther, prepare }: Doing, rule: Rule) {
  const window = opened(rule);
  window.consent.otherwise = () => ({ allow: 'once' });
  for (const [earlier, given] of before) await window.run(toolNamed(earlier), given);
  prepare?.(window);
  window.consent.otherwise = () => ({ deny: '' });
  applies(rule, window);
  const connection = { ...window, ctx: isOther ? window.another : window.ctx };
  const result = await callTool(toolNamed(name), { name, arguments: { ...args } }, connection, CALL);
  cleanUp();
  return textsOf(result as never).join();
}

async function listedNames(rule: Rule): Promise<string[]> {
  const window = opened(rule);
  applies(rule, window);
  await window.ctx.switches.known();
  const { listed, hidden } = toolsFor(features, window.ctx);
  cleanUp();
  return [...listed, ...hidden].map(({ name }) => name);
}

/** The first answer that no rule refuses, else the last one. */
async function bestAnswer(doings: readonly Doing[], rule: Rule): Promise<string> {
  let answer = '';
  for (const doing of doings) {
    answer = await answered(doing, rule);
    if (!REFUSED.test(answer)) break;
  }
  return answer;
}

describe('protocol/blocked', () => {
  afterEach(cleanUp);

  it('every tool has an example that gets through where everything is allowed', async () => {
    for (const tool of features.tools)
      assert.doesNotMatch(
        await bestAnswer(doingsOf(tool).slice(0, 1), OPEN),
        /^$|Invalid arguments|switched off/,
        tool.name,
      );
  });

  for (const rule of RULES)
    it(`tools are listed if a call may succeed, and every call of the others names the rule: ${rule.name}`, async () => {
      const names = await listedNames(rule);
      const wrong: string[] = [];
      for (const tool of features.tools) {
        const isListed = names.includes(tool.name);
        const doings = doingsOf(tool);
        const answer = await bestAnswer(
          isListed ? doings : doings.slice(0, 1).map((one) => ({ ...one, before: [] })),
          rule,
        );
        if (REFUSED.test(answer) === isListed) wrong.push(`${tool.name}, listed ${isListed}: ${answer}`);
      }
      assert.deepEqual(wrong, []);
    });
});
