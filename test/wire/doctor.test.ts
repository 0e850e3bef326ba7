import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord } from '../../src/ipc/windowRecord.ts';
import type { WindowServer } from '../../src/server/windowServer.ts';
import { useDirectory } from '../temporary.ts';
import { type Ended, nodesAtHand, openEchoWindow, startShim } from './shimSupport.ts';

for (const [index, node] of nodesAtHand().entries())
  describe(`The shim's --doctor on Node ${node.version}`, () => {
    const base = useDirectory();
    let home: string;
    let server: WindowServer;

    beforeEach(async () => {
      home = join(base.path, 'state');
      for (const folder of ['run', 'ws/sub', 'ws2']) mkdirSync(join(base.path, folder), { recursive: true });
      server = await openEchoWindow(base.path, { home, folder: 'ws' });
      base.atEnd(() => server.stop());
    });

    /** Its input stays open, as a terminal's does: the doctor does not wait for it. */
    const doctor = async (folder: string, ...args: string[]): Promise<Ended> => {
      const env = { XDG_RUNTIME_DIR: join(base.path, 'run') };
      return startShim(node.path, { home, cwd: join(base.path, folder), args: ['--doctor', ...args], env })
        .ended;
    };

    it('ends with 0 where a window is found, and says which and why', async () => {
      const { token } = readRecord(home, 'window') ?? {};
      const { code, stdout, stderr } = await doctor('ws/sub');
      assert.deepEqual([code, stderr], [0, ''], stdout);
      assert.match(
        stdout,
        /✔ Window window \(VS Code: .*ws\), because its folder is or contains .*sub; no other/,
      );
      assert.match(stdout, /shim\.js, which agents start, is the same build/);
      assert.match(stdout, /\nAgents, as window window knows them\n {2}· Codex, hooks: not written\.\n/);
      assert.ok(token && !stdout.includes(token));
      assert.equal(server.connections, 0);
      assert.deepEqual(readdirSync(home).sort(), [
        ...['code', 'hook.js', 'lspServer.js', 'package.json', 'relay.js', 'shim.js', 'windows'],
      ]);
    });

    it('is there with the copy that agents start, also below a package of another kind', async () => {
      writeFileSync(join(base.path, 'package.json'), '{ "type": "module" }');
      const shim = join(home, 'shim.js');
      const started = startShim(node.path, {
        home,
        cwd: base.path,
        args: ['--doctor'],
        shim,
        env: { NODE_COMPILE_CACHE: undefined }, // of this test run
      });
      const { code, stdout, stderr } = await started.ended;
      assert.deepEqual([code, stderr], [0, ''], stdout);
      assert.match(stdout, /shim\.js is this program/);
      assert.equal(readdirSync(join(home, 'code')).length, node.version.startsWith('v20.') ? 0 : 1);
    });

    if (index > 0) return; // the files are the same: another Node shows that it runs them

    it('ends with 1 where there is no window for it', async () => {
      const { code, stdout } = await doctor('ws', '--window', 'gone');
      assert.equal(code, 1, stdout);
      assert.match(stdout, /! No open VS Code window has the id "gone" \(--window\)/);
      assert.match(stdout, /· Codex, hooks: not written/);
      server.stop();
      assert.match(
        (await doctor('ws')).stdout,
        /\nAgents\n {2}· Only a window knows .* None has answered\.\n/,
      );
      await server.start();
      assert.match((await doctor('ws2', '--workspace=../ws')).stdout, /because .*ws \(--workspace\)/);
    });
  });
