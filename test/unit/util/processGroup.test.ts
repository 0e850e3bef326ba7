import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stopGroup } from '../../../src/util/processGroup.ts';
import { onPosix } from '../server/support.ts';

describe('util/processGroup', () => {
  for (const detached of [true, false])
    onPosix(`stops a child that leads its group${detached ? '' : ' only later'}`, async () => {
      const child = spawn('sleep', ['1000'], { detached, stdio: 'ignore' });
      stopGroup(child.pid ?? assert.fail(), { input: 0, term: 30_000 });
      assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
    });
});
