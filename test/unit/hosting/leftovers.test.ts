import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGroup } from '../../../src/hosting/connection/processGroup.ts';
import { reapLeftovers, StartedProcesses } from '../../../src/hosting/lifecycle/leftovers.ts';
import { holdClock } from '../../fakes/clock.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';
import { until } from '../../until.ts';
import { ends, Servers, serverCommand } from './support.ts';

describe('hosting/leftovers: leftovers of a killed extension host', () => {
  const clock = holdClock();
  let directory: string;
  let path: string;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => {
    directory = makeTemporary();
    path = join(directory, 'started.json');
  });
  afterEach(() => removeTemporary(directory));

  const recorded = () => until(() => existsSync(path), 'the record');

  it('are ended by the next one, if they are the same processes', async () => {
    const [left, other] = [0, 1].map(() => startGroup(serverCommand('faulty', 'stubborn')).pid as number);
    const record = new StartedProcesses(path);
    record.add(left as number);
    await recorded();
    const entries = JSON.parse(readFileSync(path, 'utf8'));
    // An id that was given to another process meanwhile.
    writeFileSync(path, JSON.stringify({ ...entries, [other as number]: 'another start' }));
    assert.deepEqual(await clock.settle(reapLeftovers(path)), [left]);
    await ends(left as number);
    process.kill(other as number, 0);
    process.kill(-(other as number), 'SIGKILL');
    await ends(other as number);
    assert.ok(!existsSync(path));
  });

  it('are none after a normal end, without a record or with a broken one', async () => {
    const servers = new Servers();
    const processes = new StartedProcesses(path);
    const { client } = await servers.connect(serverCommand('faulty'), { processes });
    await recorded();
    await clock.settle(client.close());
    assert.equal(readFileSync(path, 'utf8'), '{}');
    assert.deepEqual(await reapLeftovers(path), []);
    assert.deepEqual(await reapLeftovers(path), []);
    writeFileSync(path, '{"1":');
    assert.deepEqual(await reapLeftovers(path), []);
  });
});
