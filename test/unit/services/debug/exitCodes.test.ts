import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onExit } from '../../../../src/services/debug/exitCodes.ts';

describe('services/debug/exitCodes', () => {
  it('tells the exit code of a process that others have started', async () => {
    const told: [number, number][] = [];
    const listening = onExit((...one) => told.push(one));
    const started = () => spawn(process.execPath, ['-e', 'process.exit(3)']);
    const child = started();
    await once(child, 'close');
    listening.dispose();
    await once(started(), 'close');
    assert.deepEqual(told, [[child.pid, 3]]);
  });
});
