/** What servers start with: their env file, their directory and their secrets. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Hosted } from '../../../../src/hosting/servers/hosted.ts';
import { until } from '../../../until.ts';
import { write } from '../../workspace/openWindow.ts';
import { cleanUp, definition, openHosting } from '../openHosting.ts';
import { json, RemoteServers } from '../remote/support.ts';

const SECRET = 'TOP/s3cret "value"';

/** Agents read it, who may not read an env file: it has no name from there, which may be a part of a broken value. */
const UNAPPROVED = /that the user has not approved\. Ask them/;

async function open(server: object) {
  const window = await openHosting({ db: server });
  const [db] = window.hosting.servers;
  assert.ok(db);
  return { ...window, db };
}

describe('hosting/servers/launcher', () => {
  afterEach(cleanUp);

  async function openWithFile(more: object = {}) {
    const { db, folder } = await open({ ...definition('changing'), envFile: 'vars.txt', ...more });
    return { db, sets: (text: string) => write(join(folder, 'vars.txt'), text) };
  }

  /** What has changed in a server that may not run any more. */
  function changesOf(db: Hosted) {
    const { verdict } = db;
    assert.ok(verdict.kind === 'changed');
    assert.deepEqual([db.state, db.isUsable()], ['changed', false]);
    return verdict.changes;
  }

  it('asks the user again before an env file sets other variables than they approved', async () => {
    const { db, sets } = await openWithFile();
    sets('A=1\nB=2');
    const { variables } = await db.look();
    assert.deepEqual(variables, ['A', 'B']);
    await db.trust(undefined, variables);
    sets('A=other');
    await db.restart();
    assert.equal(db.isUsable(), true);
    sets('A=1\nC=3\nMII+abc=');
    await assert.rejects(db.restart(), UNAPPROVED);
    const fields = ['envFile.C', 'envFile.MII+abc'];
    assert.deepEqual(
      changesOf(db),
      fields.map((field) => ({ field, after: 'true' })),
    );
    await db.trust(undefined, (await db.look()).variables);
    await db.restart();
    assert.deepEqual([db.state, db.isUsable()], ['running', true]);
  });

  it('asks the user again before an env file sets another value that decides what runs', async () => {
    const { db, sets } = await openWithFile({ env: { HOME: '/mine' } });
    sets('NODE_OPTIONS=--no-deprecation\nHOME=/a\nA=1');
    await db.trust();
    sets('HOME=/b\nNODE_OPTIONS=--no-deprecation\nA=2');
    await db.restart();
    sets(`NODE_OPTIONS="-r ./evil.js"\nBASH_FUNC_node%%="() { evil; }"\nHOME=/c\nLD_PRELOAD=true`);
    await assert.rejects(db.restart(), UNAPPROVED);
    assert.deepEqual(changesOf(db), [
      { field: 'envFile.NODE_OPTIONS', before: '"--no-deprecation"', after: '"-r ./evil.js"' },
      { field: 'envFile.BASH_FUNC_node%%', after: '() { evil; }' },
      { field: 'envFile.LD_PRELOAD', after: '"true"' },
    ]);
  });

  it('asks about an env file at the first start if it cannot be read before', async () => {
    const { db, folder } = await open({ ...definition('changing'), envFile: `\${input:file}` });
    write(join(folder, 'vars.txt'), 'A=1');
    await db.trust(undefined, (await db.look()).variables);
    await db.enter('file', join(folder, 'vars.txt'));
    await assert.rejects(db.restart(), UNAPPROVED);
  });

  it("runs the user's own server not in the workspace folder, whose .npmrc and node_modules would decide what npx runs", async () => {
    const { db, folder } = await open(definition('changing'));
    write(join(folder, 'description'), 'read in the workspace folder');
    await db.trust();
    await db.restart();
    const [tool] = db.catalogue?.tools ?? [];
    assert.equal(tool?.description, 'First.');
  });

  it('tells the user the directory of a server, with what is in the workspace', async () => {
    const cases: [definition: object, runs: boolean, uses: boolean][] = [
      [{ command: 'npx', args: ['-y', 'good'] }, false, false],
      [{ command: 'npx', args: ['-y', 'good'], cwd: `\${workspaceFolder}/sub` }, true, false],
      [{ command: 'node', args: ['server.js'] }, false, false],
      [{ command: 'node', args: [`\${workspaceFolder}/server.js`] }, false, true],
      [{ command: 'node', args: ['./server'], cwd: `\${workspaceFolder}` }, true, true],
      [{ command: 'good', envFile: '.env' }, false, true],
      [{ url: 'https://a.org' }, false, false],
    ];
    for (const [server, runsInWorkspace, usesWorkspace] of cases) {
      const { db, folder } = await open(server);
      write(join(folder, 'server.js'), '');
      write(join(folder, '.env'), '');
      const { directory = '', ...seen } = await db.look();
      assert.deepEqual(seen, { variables: [], runsInWorkspace, usesWorkspace });
      assert.equal(directory.startsWith(folder), runsInWorkspace);
    }
  });

  const KEY = { KEY: `\${input:key}` };

  async function openWithSecret(server: object): Promise<Hosted> {
    const { db } = await open(server);
    await db.enter('key', SECRET);
    await db.trust();
    return db;
  }

  const hasSecret = (value: unknown): boolean =>
    [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)].some((one) =>
      JSON.stringify(value).includes(JSON.stringify(one).slice(1, -1)),
    );

  it('hides secrets in what a server wrote and in its program, if it does not start', async () => {
    const write = 'console.error("mysql://me:" + encodeURIComponent(process.env.KEY) + "@db")';
    const print = 'console.log(process.env.KEY)';
    const says = (script: string) => ({
      command: process.execPath,
      args: ['-e', `${script};process.exit(1)`],
      env: KEY,
    });
    for (const [server, said] of [
      [says(write), /It exited with code 1\. Its last output: mysql:\/\/me:\[redacted\]@db$/],
      [says(print), /It wrote what is no message of MCP: \[redacted\]$/],
      [{ command: `/no/\${input:key}` }, /The program \/no\/\[redacted\] was not found/],
    ] as const) {
      const db = await openWithSecret(server);
      await assert.rejects(db.restart(), said);
      assert.match(db.problem ?? '', /\[redacted\]/);
      assert.equal(hasSecret(db.processes.lines), false, db.processes.lines.join('\n'));
    }
  });

  it('hides secrets in the refusal of a server that gets them in a header', async () => {
    const servers = new RemoteServers();
    const url = await servers.serve(({ headers, message: { id } }, response) => {
      const error = { code: -32000, message: `who is ${headers.authorization}?` };
      json(response, { jsonrpc: '2.0', id, error });
    });
    const headers = { Authorization: `Bearer \${input:key}` };
    const db = await openWithSecret({ url: url.href, headers });
    await assert.rejects(db.restart(), /who is \[redacted\]\?$/);
    await servers.dispose();
  });

  it('hides secrets in errors and messages of a server, and not in its results', async () => {
    const db = await openWithSecret({ ...definition('faulty'), env: { ...KEY, NODE_NO_WARNINGS: '1' } });
    const notified: unknown[] = [];
    const progress: unknown[] = [];
    db.processes.of().messages.listen(({ params }) => notified.push(params));
    const call = (name: string, args: object) =>
      db.withClient({ id: 0, agent: 'a' }, (client) => {
        const options = { onProgress: (params: object) => progress.push(params) };
        const meta = { _meta: { progressToken: 1 } };
        return client.request('tools/call', { name, arguments: args, ...meta }, options);
      });
    const said = `no ${SECRET}`;
    assert.deepEqual(await call('tell', { said }), { content: [{ type: 'text', text: said }] });
    await assert.rejects(call('tell', { said, fails: true }), (error: Error & { data?: unknown }) => {
      assert.equal(error.message, 'no [redacted]');
      assert.deepEqual(error.data, { said: 'no [redacted]' });
      return true;
    });
    const result = { isError: true, content: [{ type: 'text', text: said }], structuredContent: { said } };
    assert.ok(!hasSecret(await call('raw', { result })));
    await until(() => notified.length === 2 && progress.length === 2, 'all messages');
    assert.ok(!hasSecret([notified, progress]), JSON.stringify([notified, progress]));
  });
});

describe('hosting/servers/launcher: what a server does not get', () => {
  const variables = ['DOCKER_HOST', 'GH_TOKEN'];
  beforeEach(() => {
    for (const name of variables) process.env[name] = 'a secret';
  });
  afterEach(async () => {
    for (const name of variables) delete process.env[name];
    await cleanUp();
  });

  it('is in its log, once, with the way to pass it on', async () => {
    const plain = definition('faulty');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of definitions
    const passes = { ...plain, env: { ...plain.env, DOCKER_HOST: '${env:DOCKER_HOST}' } };
    const { hosting } = await openHosting({ plain, passes });
    for (const server of hosting.servers) {
      await server.trust();
      for (let starts = 0; starts < 2; starts++) await server.restart();
    }
    const [all, one] = hosting.servers.map(({ processes }) =>
      processes.lines.filter((line) => line.startsWith('not passed')),
    );
    assert.equal(all?.length, 1);
    assert.match(`${all}`, /DOCKER_HOST, .*GH_TOKEN.*"env" of its definition: "\w+": "\$\{env:\w+\}"$/);
    assert.match(`${one}`, /GH_TOKEN/);
    assert.ok(!/DOCKER_HOST|a secret/.test(`${one}`), `${one}`);
  });
});
