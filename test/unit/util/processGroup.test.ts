import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endGroup, startGroup, stopGroup } from '../../../src/util/processGroup.ts';
import { onPosix } from '../../temporary.ts';
import { ends } from '../hosting/support.ts';

describe('util/processGroup', () => {
  for (const detached of [true, false])
    onPosix(`stops a child that leads its group${detached ? '' : ' only later'}`, async () => {
      const child = spawn('sleep', ['1000'], { detached, stdio: 'ignore' });
      stopGroup(child.pid ?? assert.fail(), { input: 0, term: 30_000 });
      assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
    });

  it('ends a child that goes on without its input, with what it has started', async () => {
    const idle = 'setInterval(() => {}, 1000); process.on("SIGTERM", () => {});';
    const script = `console.log(require('node:child_process').spawn(process.execPath, ['-e', '${idle}'], { stdio: 'ignore' }).pid); ${idle}`;
    const child = startGroup({ command: process.execPath, args: ['-e', script], cwd: '.', env: process.env });
    const [grandchild] = await once(child.stdout, 'data');
    child.stdin.end();
    assert.ok(await endGroup(child.pid ?? assert.fail(), () => ({ input: 0, term: 0 })), 'it was killed');
    await ends(Number(grandchild));
  });
});
