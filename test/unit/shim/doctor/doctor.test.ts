import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newNonce } from '../../../../src/ipc/preamble.ts';
import { bootId, hostId, writeRecord } from '../../../../src/ipc/windowRecord.ts';
import { nodeFinding, runDoctor } from '../../../../src/shim/doctor/doctor.ts';
import { onPosix, useDirectory } from '../../../temporary.ts';
import { openImpostor, openWindow, socketPathIn } from '../../server/support.ts';
import { record } from '../records.ts';

const SHIM = '#!/usr/bin/env node\n// workspace-mcp shim 0.1.0\n';
const crashed = { host: hostId(), bootId: bootId(), pid: 2 ** 30 };

describe('shim/doctor/doctor', () => {
  const base = useDirectory();
  let home: string;

  beforeEach(() => {
    home = join(base.path, 'state');
    for (const folder of ['ws', 'state', 'run', 'dist']) mkdirSync(join(base.path, folder), { mode: 0o700 });
    writeFileSync(join(base.path, 'dist/shim.js'), SHIM);
    writeFileSync(join(home, 'shim.js'), SHIM);
  });

  const run = (env: NodeJS.ProcessEnv = {}) =>
    runDoctor({
      self: { name: 'shim', version: '0.1.0', shim: join(base.path, 'dist/shim.js') },
      env: { WORKSPACE_MCP_HOME: home, XDG_RUNTIME_DIR: join(base.path, 'run'), ...env },
      cwd: join(base.path, 'ws'),
    });
  const open = async (fields = {}, options = {}) => {
    const window = await openWindow(home, fields, options);
    base.atEnd(() => window.close());
    return window.record;
  };

  it('finds nothing wrong where a window runs, enters none, and leaves nothing behind', async () => {
    const entered: unknown[] = [];
    const { token } = await open({}, { onConnection: (socket: unknown) => entered.push(socket) });
    const before = readdirSync(home);
    const { text, code } = await run();
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /[!✘] /);
    assert.match(text, /shim\.js, which agents start, is the same build/);
    assert.match(text, /✔ Window a .*only open window.*\n\nAn agent gets a window, and nothing is broken/);
    assert.ok(!text.includes(token));
    assert.deepEqual([entered, readdirSync(home)], [[], before]);
  });

  it('says that there is no window, and creates no directory', async () => {
    const { text, code } = await run({ WORKSPACE_MCP_HOME: join(base.path, 'none') });
    assert.equal(code, 1);
    assert.match(text, /! .*none does not exist yet/);
    assert.match(text, /! No open VS Code window has a folder that contains/);
    assert.equal(existsSync(join(base.path, 'none')), false);
  });

  onPosix('tells of a directory and files that others can write', async () => {
    await open();
    chmodSync(join(home, 'shim.js'), 0o777);
    chmodSync(join(home, 'windows', 'a.json'), 0o622);
    const files = await run();
    assert.equal(files.code, 2);
    assert.match(
      files.text,
      /✘ .*shim\.js can be written by others \(mode 0777\).* Agents start this program\./,
    );
    assert.match(files.text, /Windows\n {2}✘ .*a\.json can be written by others \(mode 0622\)/);
    chmodSync(home, 0o777);
    const directory = await run();
    assert.equal(directory.code, 2);
    assert.doesNotMatch(directory.text, /^Windows$/m, 'no records are read');
    assert.equal(directory.text.split('its mode is 0777, not 0700. Run: chmod 700').length, 2, 'said once');
  });

  it('reports an impostor, a record of another version, and an invalid file', async () => {
    const line = `{"workspaceMcp":1,"nonce":"${newNonce()}","proof":"${'0'.repeat(64)}"}`;
    const socketPath = socketPathIn(home);
    const { server } = await openImpostor(socketPath, line);
    base.atEnd(() => server.close());
    writeRecord(home, record({ ...crashed, id: 'impostor', pid: process.pid, socketPath }));
    writeRecord(home, { ...record({ id: 'odd' }), version: 2 as 1 });
    writeFileSync(join(home, 'windows', 'half.json'), '{"version":1,');
    const { text, code } = await run();
    assert.equal(code, 2);
    assert.match(text, /✘ impostor: .*could not prove .* If this persists, reload/);
    assert.match(text, /✘ .*half\.json is not the record of a window\. Remove it/);
    assert.match(text, /✘ .*odd\.json was written by a newer Workspace MCP/);
  });

  onPosix('tells of what was left behind, which is not broken', async () => {
    const socketPath = socketPathIn(home);
    writeRecord(home, record({ ...crashed, id: 'crashed', socketPath }));
    writeRecord(home, record({ ...crashed, id: 'earlier', bootId: 'x', socketPath }));
    const left = ['y.lock.remove', 'z.json.1.tmp'].map((name) => join(home, 'windows', name));
    for (const path of left) {
      writeFileSync(path, '');
      utimesSync(path, 0, 0);
    }
    writeFileSync(join(home, 'windows', 'young.tmp'), '');
    const { text, code } = await run();
    assert.equal(code, 1, text);
    const leftovers = /Leftovers\n(.*?)\n\n/s.exec(text)?.[1] ?? '';
    for (const name of ['crashed.json', 'earlier.json', 'y.lock.remove', 'z.json.1.tmp'])
      assert.match(leftovers, new RegExp(`! .*${name.replaceAll('.', '\\.')}: `));
    assert.equal(leftovers.split('\n').length, 4, leftovers);
  });

  it('compares the copy of the shim that agents start', async () => {
    const copy = async (content: string) => {
      writeFileSync(join(home, 'shim.js'), content);
      return (
        /^ {2}. .*which agents start.*$|^ {2}. .*is not the shim.*$/m.exec((await run()).text)?.[0] ?? ''
      );
    };
    const told = await copy(SHIM.replace('0.1.0', '0.2.0'));
    assert.match(told, /! .*is a different build: 0\.2\.0; this is 0\.1\.0\. Update the older/);
    assert.match(await copy(`${SHIM}// x`), /! .*is a different build: 0\.1\.0; this/);
    assert.match(await copy('// x'), /✘ .*is not the shim\. Remove it/);
    assert.match(await copy(SHIM), /✔ .*is the same build/);
    writeFileSync(join(home, 'relay.js'), '// x');
    assert.match(await copy(SHIM), /! .*is a different build: 0\.1\.0; this/);
  });

  it('says which Node is too old', () => {
    assert.equal(nodeFinding('20.0.0', 'node').level, 'ok');
    const told = nodeFinding('18.20.1', '/n').text;
    assert.match(told, /needs 20 or newer\. Start it with another Node than \/n/);
  });
});
