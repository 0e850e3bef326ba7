import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sendToAgent } from '../../../../src/ui/send/sendToAgent.ts';
import { Uri } from '../../../fakes/values.ts';

type Sent = Awaited<ReturnType<NonNullable<Parts['agents']['hooks']>['send']>>;
type Parts = Parameters<typeof sendToAgent>[0];

describe('ui/send/sendToAgent', () => {
  const uri = Uri.file('/w/a.ts');
  const session = { key: 'codex s', author: { id: 1, agent: 'Codex' }, cwd: '/w', wakes: true };
  let shown: string[];
  let sent: unknown[];
  let copied: string;
  let memory: Map<string, unknown>;

  const parts = (result: Sent, { sessions = [session], others = [] as object[] } = {}) =>
    ({
      agents: {
        all: others,
        hooks: {
          receivers: () => sessions,
          send: async (...given: unknown[]) => {
            sent.push(given);
            return result;
          },
        },
      },
      context: {
        workspaceState: {
          get: (key: string) => memory.get(key),
          update: async (key: string, value: unknown) => memory.set(key, value),
        },
      },
      log: { debug() {} },
    }) as unknown as Parts;

  beforeEach(() => {
    [shown, sent, copied, memory] = [[], [], '', new Map()];
    Object.assign(vscode.workspace, { getWorkspaceFolder: () => undefined });
    const show = async (text: string) => void shown.push(text);
    Object.assign(vscode.window, {
      showInputBox: async () => ' why? ',
      showInformationMessage: show,
      showWarningMessage: show,
      setStatusBarMessage: (text: string) => shown.push(text),
      showQuickPick: async (items: readonly { label: string; detail: string }[]) => {
        shown.push(...items.map(({ label, detail }) => `${label}: ${detail}`));
        return items[0];
      },
    });
    Object.assign(vscode.env, {
      clipboard: {
        writeText: async (text: string) => {
          copied = text;
        },
      },
    });
  });

  it('sends the words of the user and the place to the only agent', async () => {
    await sendToAgent(parts('now'), uri);
    assert.deepEqual(sent, [['codex s', 'why?\n@/w/a.ts', [uri]]]);
    assert.deepEqual(shown, ['“Codex” has it.']);
    await sendToAgent(parts('closed'), uri);
    assert.match(shown.at(-1) ?? '', /closed to agents\. Nothing was sent/);
    await sendToAgent(parts('prompt'), uri);
    assert.match(shown.at(-1) ?? '', /with your next prompt/);
  });

  it('asks which of several agents, the last one first, and says how each gets it', async () => {
    const others = [{ id: 2, name: 'Cline' }];
    const sessions = [
      session,
      { ...session, key: 'qwen-code s', author: { id: 3, agent: 'Qwen' }, wakes: false },
    ];
    memory.set('send.lastAgent', 'Qwen');
    await sendToAgent(parts('prompt', { sessions, others }), uri);
    assert.deepEqual(shown.slice(0, 3), [
      '“Qwen”: Gets it with your next prompt',
      '“Codex”: Gets it at once',
      '“Cline”: Copies the text: none of its hooks has come',
    ]);
    assert.deepEqual(sent, [['qwen-code s', 'why?\n@/w/a.ts', [uri]]]);
  });

  it('copies the text where no agent takes it, and sends nothing if the user gives up', async () => {
    await sendToAgent(parts('now', { sessions: [] }), uri);
    assert.equal(copied, '@/w/a.ts');
    await sendToAgent(parts('now', { sessions: [], others: [{ id: 2, name: 'Cline' }] }), uri);
    assert.equal(copied, 'why?\n@/w/a.ts');
    await sendToAgent(parts('gone'), uri);
    assert.match(shown.at(-1) ?? '', /“Codex” takes no messages\. The text is copied/);
    sent = [];
    Object.assign(vscode.window, { showInputBox: async () => undefined });
    await sendToAgent(parts('now'), uri);
    assert.deepEqual(sent, []);
  });
});
