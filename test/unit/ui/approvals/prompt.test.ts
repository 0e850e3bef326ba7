import assert from 'node:assert/strict';
import type { Asked, Question } from '../../../../src/access/consent/types.ts';
import type { Page } from '../../../../src/ui/approvals/page.ts';

const vscode = (await import('vscode' as string)).default;
const { ApprovalPrompt } = await import('../../../../src/ui/approvals/prompt.ts');
const { askedPage } = await import('../../../../src/ui/approvals/asked.ts');

const settle = () => new Promise(setImmediate);

/** The webview of the questions, by what it gets and sends. */
class FakePanel {
  readonly #listeners: Record<string, (event?: unknown) => void> = {};
  viewColumn = 2;
  visible = true;
  readonly webview = {
    asWebviewUri: String,
    postMessage: () => {},
    onDidReceiveMessage: (listener: (event: unknown) => void) => this.#on('message', listener),
  };
  readonly onDidDispose = (listener: () => void) => this.#on('close', listener);
  reveal() {}
  dispose = () => this.#listeners.close?.();
  send = (message: object) => this.#listeners.message?.(message);
  #on(name: string, listener: (event?: never) => void) {
    this.#listeners[name] = listener as (event?: unknown) => void;
    return { dispose() {} };
  }
}

describe('ui/approvals/prompt: an answer', () => {
  let panel: FakePanel;
  let prompt: InstanceType<typeof ApprovalPrompt>;
  let ended: AbortController;
  let answered: unknown[];
  const changed = 'createWebviewPanel tabGroups setStatusBarMessage showInputBox showWarningMessage'.split(
    ' ',
  );

  beforeEach(() => {
    ended = new AbortController();
    answered = [];
    Object.assign(vscode.window, {
      createWebviewPanel: () => {
        panel = new FakePanel();
        return panel;
      },
      tabGroups: { all: [], activeTabGroup: { viewColumn: 1 }, close: async () => true },
      setStatusBarMessage: () => {},
      showInputBox: async () => 'not now',
    });
    Object.assign(vscode.workspace, { registerTextDocumentContentProvider: () => ({ dispose() {} }) });
    prompt = new ApprovalPrompt('' as never);
  });
  afterEach(async () => {
    ended.abort();
    await settle();
    prompt.dispose();
    for (const name of changed) delete vscode.window[name];
    delete vscode.workspace.registerTextDocumentContentProvider;
  });

  const opened = { agent: 'Codex', askers: () => [{ agent: 'Codex' }], askedAt: 0, endsAt: 0, grants: [] };
  const ask = async (id: number, follow?: Question['follow'], more?: Partial<Question>) => {
    const question: Question = { ...opened, ...more, id, kind: 'run', tool: 'run_command', subject: 'echo' };
    const answer = prompt.ask({ ...question, ...(follow && { follow }) }, ended.signal);
    answer.then(
      (given) => answered.push(given),
      () => {},
    );
    await settle();
    return question;
  };
  const pose = async (page: Partial<Page>) => {
    const asked: Asked = { ...opened, id: 1, message: 'm' };
    const whole = askedPage(asked, { heading: '', from: '', detail: [''], ends: '', ...page });
    const take = (reply: object) => ('entries' in reply && !('button' in reply) ? undefined : reply);
    const answer = prompt.pose<unknown>(asked, whole, { take, closed: 'closed' }, ended.signal);
    answer.then(
      (given) => answered.push(given),
      () => {},
    );
    await settle();
  };
  const given = async () => {
    await settle();
    return answered.splice(0);
  };

  it('that denies counts once the page was seen, one that allows once its first change was', async () => {
    await ask(1);
    panel.send({ id: 1, choice: 'deny' });
    await prompt.choose('deny');
    assert.deepEqual(await given(), []);
    panel.send({ seen: 1 });
    for (const choice of ['once', 'session', 'workspace']) panel.send({ id: 1, choice });
    await prompt.choose('once');
    assert.deepEqual(await given(), []);
    await prompt.choose('deny');
    assert.deepEqual(await given(), [{ deny: '' }]);

    await ask(2);
    panel.send({ seen: 2 });
    panel.send({ id: 2, choice: 'denySession' });
    assert.deepEqual(await given(), [{ deny: '', session: true }]);

    await ask(3);
    panel.send({ seen: 3 });
    await prompt.choose('denyReason');
    assert.deepEqual(await given(), [{ deny: 'not now' }]);

    await ask(4);
    panel.send({ read: 4 });
    panel.send({ id: 4, choice: 'once' });
    assert.deepEqual(await given(), [{ allow: 'once' }]);
  });

  it('never counts for a question that has just come, or for another', async () => {
    let change: (now: Question) => void = () => {};
    const question = await ask(1, (listener) => {
      change = listener;
      return { dispose() {} };
    });
    panel.send({ seen: 1 });
    panel.send({ read: 1 });
    change({ ...question, id: 2 });
    panel.send({ seen: 1 });
    panel.send({ id: 1, choice: 'deny' });
    panel.send({ id: 2, choice: 'deny' });
    await prompt.choose('deny');
    assert.deepEqual(await given(), []);
    panel.visible = false; // a key is meant for what is in front of it
    panel.send({ seen: 2 });
    await prompt.choose('deny');
    assert.deepEqual(await given(), []);
  });

  it('that a dialog confirms does not count for another change that came under it', async () => {
    for (const id of [1, 2]) {
      let change: (now: Question) => void = () => {};
      const question = await ask(1, (listener) => {
        change = listener;
        return { dispose() {} };
      });
      vscode.window.showWarningMessage = async (...[, , yes]: unknown[]) => {
        change({ ...question, grants: ['edit'], id });
        return yes;
      };
      change({ ...question, grants: ['edit'] });
      panel.send({ seen: 1 });
      panel.send({ read: 1 });
      panel.send({ id: 1, choice: 'workspace' });
      assert.deepEqual(await given(), id === 1 ? [{ allow: 'workspace' }] : []);
    }
  });

  it('is dismissed with its tab only if the agent asks in its terminal too', async () => {
    await ask(1);
    panel.send({ seen: 1 });
    panel.dispose();
    assert.deepEqual(await given(), []);
    ended.abort();
    ended = new AbortController();
    await ask(2, undefined, { isOwn: true });
    panel.send({ seen: 2 });
    panel.dispose();
    assert.deepEqual(await given(), [{ dismissed: true }]);
  });

  it('that refuses a question which allows nothing counts as early', async () => {
    const button = (label: string, refuses = false) => ({ label, ...(refuses && { refuses }) });
    const form = { fields: [], required: '', none: '', choose: '' };
    const buttons = [button('Send'), button('Decline', true)];
    await pose({ form: { ...form, buttons } });
    const decline = { id: 1, reply: { entries: [], button: 1 } };
    panel.send(decline);
    panel.send({ seen: 1 });
    panel.send({ id: 1, reply: { entries: [], button: 0 } });
    panel.send({ id: 1, reply: { entries: [] } });
    assert.deepEqual(await given(), []);
    panel.send(decline);
    assert.deepEqual(await given(), [decline.reply]);

    await pose({});
    panel.send({ seen: 1 });
    panel.send({ id: 1, reply: { choice: 0 } });
    assert.deepEqual(await given(), []);
    panel.send({ id: 1, reply: { dismissed: true } });
    assert.deepEqual(await given(), [{ dismissed: true }]);

    await pose({});
    panel.send({ seen: 1 });
    panel.dispose();
    assert.deepEqual(await given(), ['closed']);
  });
});
