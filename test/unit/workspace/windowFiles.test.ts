import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { getEditorState } from '../../../src/features/editor/editorState.ts';
import { callTool } from '../../../src/protocol/tools.ts';
import { restoredEditors } from '../../../src/workspace/windowFiles.ts';
import { holdClock } from '../../fakes/clock.ts';
import { Emitter } from '../../fakes/emitter.ts';
import { Uri as FakeUri } from '../../fakes/values.ts';
import { CALL, cleanUp, openWindow } from '../features/window.ts';

const NOTEBOOK = { notebookType: 'jupyter-notebook' };

/** A window that is starting: its tabs come when the test says so, and what is loaded is remembered. */
class StartingWindow {
  readonly loaded: string[] = [];
  /** Resolves what is being loaded of `slow.ts`. */
  readonly slow = Promise.withResolvers<void>();
  readonly #groups: { tabs: object[] }[] = [];
  readonly #onGroups = new Emitter<unknown>();
  readonly #documents: { uri: vscode.Uri }[] = [];
  readonly #onOpen = new Emitter<{ uri: vscode.Uri }>();

  readonly api = {
    window: { tabGroups: { all: this.#groups, onDidChangeTabGroups: this.#onGroups.event } },
    workspace: {
      textDocuments: this.#documents,
      getWorkspaceFolder: () => undefined,
      onDidOpenTextDocument: this.#onOpen.event,
      openTextDocument: async (uri: vscode.Uri) => this.#load('text', uri),
      openNotebookDocument: async (uri: vscode.Uri) => this.#load('notebook', uri),
    },
  } as unknown as typeof vscode;

  tellsTabs(...uris: string[]): void {
    const inputs = uris.map(
      (uri) => uri && { uri: FakeUri.parse(uri), ...(uri.endsWith('.ipynb') && NOTEBOOK) },
    );
    this.#groups.push({ tabs: inputs.map((input) => ({ input: input || {} })) });
    this.#onGroups.fire({});
  }

  opens(name: string): void {
    const uri = FakeUri.parse(name);
    this.#documents.push({ uri });
    this.#onOpen.fire({ uri });
  }

  async #load(kind: string, uri: vscode.Uri): Promise<void> {
    this.loaded.push(`${kind} ${uri}`);
    if (uri.path.endsWith('slow.ts')) await this.slow.promise;
    if (uri.path.endsWith('.png')) throw new Error('binary');
  }
}

/** Whether a promise is settled once all that can go on without an event has. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  const settled = Promise.race([promise.then(() => true), turn(false)]);
  await turn();
  return settled;
};

describe('workspace/windowFiles: restored editors', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('are known once every tab has its document, which is when VS Code has restored its text', async () => {
    const window = new StartingWindow();
    const known = restoredEditors(window.api).known();
    assert.equal(await isSettled(known), false, 'the workbench has told of no tab');
    window.opens('file:///shown.ts');
    const files = ['file:///shown.ts', 'file:///behind.ts', 'file:///logo.png', 'file:///book.ipynb'];
    window.tellsTabs(...files, 'untitled:Untitled-1', 'output:log', '');
    assert.equal(await isSettled(known), false, 'a text without a file is not there');
    window.opens('untitled:Untitled-1');
    assert.equal(await known, true);
    const loaded = 'text file:///behind.ts, text file:///logo.png, notebook file:///book.ipynb';
    assert.equal(window.loaded.join(', '), loaded);
  });

  it('are waited for no longer than is told, and known later', async () => {
    const window = new StartingWindow();
    const editors = restoredEditors(window.api);
    const known = editors.known();
    await clock.pass(15_000);
    assert.equal(await known, false);
    assert.equal(await isSettled(editors.known()), true, 'nobody waits a second time');
    window.tellsTabs();
    await isSettled(editors.known());
    assert.equal(await editors.known(), true);
  });

  it('are not known before the slowest file is loaded, but a text without a file that is gone is given up', async () => {
    const window = new StartingWindow();
    const editors = restoredEditors(window.api);
    window.tellsTabs('untitled:Untitled-1', 'file:///slow.ts');
    assert.equal(await isSettled(editors.known()), false);
    await clock.pass(300_000);
    assert.equal(await editors.known(), false);
    window.slow.resolve();
    await isSettled(editors.known());
    assert.equal(await editors.known(), true);
  });

  it('are missing in an answer that could not wait: it says so first', async () => {
    const { ctx, approvals, grantee } = openWindow();
    const files = Object.create(ctx.files, { restored: { value: async () => false } });
    const state = { ctx: { ...ctx, files }, approvals, grantee };
    const call = callTool(getEditorState, { name: getEditorState.name }, state, CALL);
    const [first] = ((await call) as CallToolResult).content;
    const told = first?.type === 'text' ? first.text : '';
    assert.match(told, /^\[Note: .*unsaved text may be missing.*\]\nActive file: none\n/);
  });

  it('are known at once when the window has been open for minutes', async () => {
    const window = new StartingWindow();
    clock.tick(600_000);
    assert.equal(await restoredEditors(window.api).known(), true);
    assert.deepEqual(window.loaded, []);
  });
});
