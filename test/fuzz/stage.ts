import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { dial } from '../../src/ipc/dial.ts';
import { readRecord } from '../../src/ipc/windowRecord.ts';
import { Machine, type TestWindow, type Tree } from '../wire/harness.ts';
import { HttpClient } from '../wire/http/rawClients.ts';
import { Peer, SECRET } from './peer.ts';

export const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

const SNIPPETS = {
  'Explain this': { body: 'Explain $1 to $2', description: 'A snippet' },
  'Größe 你好': { body: ['$1', '$TM_FILENAME', '$0'] },
};

/** What lies in the workspace; what may be looked up has a name that generators know. */
const TREE: Tree = {
  'a.ts': 'export const one = 1;\nexport const two = 2;\n',
  'src/größe.ts': 'const größe = "𝒳";\n// TODO\n',
  'src/crlf.ts': 'one\r\ntwo\r\nthree\r\n',
  'src/bom.ts': '\ufeffconst bom = true;\n',
  'src/empty.ts': '',
  'src/long.ts': `${'x'.repeat(200_000)}\n`.concat('line\n'.repeat(3_000)),
  'src/[id]/page.ts': 'export {};\n',
  'notes.txt': 'one\ntwo\n',
  'image.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
  'data.bin': Buffer.from([0, 1, 2, 0xff, 0xfe]),
  'latin1.txt': Buffer.from('gr\xfc\xdfe', 'latin1'),
  '.vscode/x.code-snippets': JSON.stringify(SNIPPETS),
  '.env': `KEY=${SECRET}\n`,
  '.gitignore': 'ignored\n',
  'ignored/out.ts': 'ignored();\n',
};

/** A window with a workspace, to which each case of the suite connects anew. */
export function useStage() {
  let [machine, window, filesBefore, port]: [Machine, TestWindow, string, number] = [] as never;

  before(async () => {
    machine = new Machine();
    writeFileSync(join(machine.root, 'outside.txt'), SECRET);
    window = await machine.open({ trees: { ws: TREE }, user: { 'workspaceMcp.tools.profile': 'all' } });
    window.consent.otherwise = () => ({ deny: 'The tests allow nothing.' });
    // TypeScript's server has nothing to say, at once: otherwise each check of a file would take half a second.
    window.fake.answers.set('typescript.tsserverRequest', () => ({ body: [] }));
    window.fake.answers.set('vscode.open', (uri) =>
      window.fake.person.reports((uri as { fsPath: string }).fsPath, []),
    );
    window.fake.person.reports(window.path('notes.txt'), []);
    window.fake.person.reports(window.path('latin1.txt'), []);
    ({ port } = await window.serveHttp());
    filesBefore = filesIn(window.path());
  });
  after(() => machine.dispose());

  /** Nothing of the person's is another than before. */
  function requireUnharmed(): void {
    const { errors, fake } = window;
    const changed = fake.documents.filter(({ isDirty, version }) => isDirty || version > 1);
    assert.deepEqual(errors.splice(0), [], 'the log shows errors');
    assert.deepEqual(changed, []);
    assert.equal(filesIn(window.path()), filesBefore, 'a file has changed');
    fake.tabs.length = 0;
    fake.commandsRun.length = 0;
    window.consent.questions.length = 0;
  }

  async function connect(version: string): Promise<Peer> {
    const record = readRecord(machine.home, window.server.id ?? '');
    assert.ok(record);
    const { enter, socket } = await dial(record);
    await enter({ cwd: window.path() });
    return new Peer(socket, version);
  }

  /** Each line in a POST of its own. */
  async function connectByHttp(version: string): Promise<Peer> {
    const client = new HttpClient(port);
    const stream = new Duplex({
      read() {},
      write(content: Buffer, _, done) {
        for (const line of `${content}`.split('\n')) if (line.trim() !== '') client.write(line);
        done();
      },
      destroy(error, done) {
        client.end();
        done(error);
      },
    });
    client.onMessage = (message) => void stream.push(`${JSON.stringify(message)}\n`);
    return new Peer(stream, version);
  }

  return {
    connect,
    connectByHttp,
    requireUnharmed,
    rawAgent: () => window.rawAgent(),
    /** Runs one case on a connection of its own, and looks whether the editor is as it was. */
    async with(version: string, run: (peer: Peer) => Promise<void>, by = connect): Promise<void> {
      const peer = await by(version);
      try {
        await peer.open();
        await run(peer);
      } catch (error) {
        window.errors.length = 0; // the next case is judged by its own
        throw error;
      } finally {
        peer.close();
      }
      requireUnharmed();
    },
  };
}

const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return path + (entry.isFile() ? readFileSync(path, 'latin1') : '');
    })
    .sort()
    .join('\n');
