import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reapLeftovers, StartedProcesses } from '../../../../src/hosting/servers/leftovers.ts';
import { startGroup } from '../../../../src/util/processGroup.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { makeTemporary, removeTemporary } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { ends, serverCommand } from '../support.ts';

describe('hosting/servers/leftovers: leftovers of a killed extension host', () => {
  const clock = holdClock();
  it('are ended by the next one, if they are the same processes and a record that is whole names them', async function () {
    if (process.platform === 'win32') this.skip();
    const directory = makeTemporary();
    const path = join(directory, 'started.json');
    const [left, other] = [0, 1].map(() => startGroup(serverCommand('faulty', 'stubborn')).pid as number);
    const record = new StartedProcesses(path);
    record.add(other as number);
    record.remove(other as number);
    record.add(left as number);
    await until(() => existsSync(path), 'the record');
    const entries = JSON.parse(readFileSync(path, 'utf8'));
    assert.deepEqual(Object.keys(entries), [`${left}`]);
    // An id that was given to another process meanwhile.
    writeFileSync(path, JSON.stringify({ ...entries, [other as number]: 'another start' }));
    assert.deepEqual(await clock.settle(reapLeftovers(path)), [left]);
    await ends(left as number);
    process.kill(other as number, 0);
    process.kill(-(other as number), 'SIGKILL');
    await ends(other as number);
    assert.ok(!existsSync(path));
    assert.deepEqual(await reapLeftovers(path), []);
    writeFileSync(path, '{"1":');
    assert.deepEqual(await reapLeftovers(path), []);
    removeTemporary(directory);
  });
});
