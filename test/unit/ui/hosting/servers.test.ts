import assert from 'node:assert/strict';
import { until } from '../../../until.ts';

const { Servers } = await import('../../../../src/ui/hosting/servers.ts');
const { window, workspace } = await import('vscode');

const shown = { env: [], headers: [], references: [], commandLine: 'a' };

/** A server that waits for an approval, and never gets beyond starting. */
const waiting = (name: string, look = async () => ({ variables: [], directory: '/' })) => {
  const server = {
    name,
    key: name,
    state: 'new',
    verdict: { kind: 'new', shown },
    missingInputs: [],
    inputs: [],
    config: {
      name,
      source: { kind: 'settings' },
      found: { definition: { launch: {}, options: { tools: {} } } },
    },
    look,
    async trust() {
      Object.assign(server, { state: 'stopped', verdict: { kind: 'trusted' } });
    },
    restart: () => new Promise(() => {}),
  };
  return server;
};

describe('ui/hosting/servers: approvals', () => {
  const names = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'withProgress'];
  let asked: string[];
  let told: string[];
  beforeEach(() => {
    [asked, told] = [[], []];
    Object.assign(window, {
      showInformationMessage: async (text: string) => told.push(text) && 'Review…',
      showWarningMessage: async (title: string) => asked.push(title) && 'Start Server',
      showErrorMessage: (text: string) => told.push(text) && new Promise(() => {}),
      withProgress: (_: unknown, run: () => Promise<void>) => run(),
    });
  });
  afterEach(() => {
    for (const name of names) Reflect.deleteProperty(window, name);
  });

  /** @param servers of the window. @param load reads the definitions */
  function open(servers: ReturnType<typeof waiting>[], load = async () => {}) {
    let changed = () => {};
    const hosting = {
      servers,
      load,
      loaded: Promise.resolve(),
      hostedOf: ({ name }: { name: string }) => servers.find((one) => one.name === name),
      onDidChange: (listener: () => void) => {
        changed = listener;
        return { dispose() {} };
      },
    };
    const agents = { all: [{}], onDidChange: () => ({ dispose() {} }) };
    const opened = new Servers({ hosting, agents, texts: {} } as never);
    return { opened, changed: () => changed() };
  }

  it('are asked for one after the other, while servers before still start or cannot be looked at', async () => {
    const broken = waiting('broken', () => Promise.reject(new Error('No such folder.')));
    open([waiting('slow'), broken, waiting('next')]);
    await until(() => asked.length === 2, 'the second question');
    assert.match(`${asked}`, /slow.*next/);
    assert.match(`${told}`, /3 MCP servers wait.*No such folder/);
  });

  it('are announced once, and again when the approved definition has changed, with what changed', () => {
    const db = waiting('db');
    const { changed } = open([db]);
    Object.assign(window, { showInformationMessage: async (text: string) => void told.push(text) });
    const become = (state: string, more: object = {}) => {
      Object.assign(db, { state, ...more });
      changed();
      changed();
    };
    become('new');
    become('running');
    become('changed', { changedParts: ['command', 'env'] });
    assert.deepEqual(told, [
      'The MCP server “db” waits for your approval.',
      'The MCP server “db” has changed (command, env) and is stopped until you approve it.',
    ]);
  });

  it('are not asked for if a server needs a value or a sign-in: that is said, and not as a failure', () => {
    const [db, remote] = [waiting('db'), waiting('remote')];
    Object.assign(db, { state: 'needsUser', missingInputs: [{ id: 'key' }] });
    Object.assign(remote, { state: 'needsUser', signIn: { isRequired: true } });
    const { opened, changed } = open([db, remote]);
    const buttons: string[] = [];
    const showInformationMessage = async (text: string, button: string) => {
      told.push(text);
      buttons.push(button);
    };
    Object.assign(window, { showInformationMessage });
    changed();
    changed();
    assert.deepEqual(told, [
      'The MCP server “db” waits for values that you enter: key',
      'The MCP server “remote” waits for your sign-in.',
    ]);
    assert.deepEqual(buttons, ['Enter Values…', 'Sign In…']);
    assert.equal(opened.needing.length, 2);
  });

  it('are announced later if they come while the user adds another server, which is not announced', async () => {
    const servers: ReturnType<typeof waiting>[] = [];
    const { opened, changed } = open(servers, async () => {
      servers.push(waiting('added'), waiting('other'));
      changed();
    });
    Object.assign(window, { showInformationMessage: async (text: string) => void told.push(text) });
    const getConfiguration = () => ({ inspect: () => undefined, update: async () => {} });
    Object.assign(workspace, { getConfiguration });
    assert.equal((await opened.write('added', {}))?.name, 'added');
    assert.deepEqual(told, []);
    changed();
    assert.deepEqual(told, ['The MCP server “other” waits for your approval.']);
    Reflect.deleteProperty(workspace, 'getConfiguration');
  });

  it('and values are asked for only once the user clicks: what an agent starts opens a message, and no input', async () => {
    const server = waiting('db');
    Object.assign(server, { state: 'stopped', missingInputs: [{ id: 'token' }] });
    const { changed } = open([server]);
    const inputs: string[] = [];
    Object.assign(window, { showInputBox: ({ title }: { title: string }) => inputs.push(title) });
    Object.assign(server, { state: 'failed', problem: 'It needs values.' });
    changed();
    changed();
    await new Promise(setImmediate);
    assert.deepEqual([told, asked, inputs], [['The MCP server “db” failed: It needs values.'], [], []]);
    Reflect.deleteProperty(window, 'showInputBox');
  });
});
