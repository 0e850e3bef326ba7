import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { useMachine } from './harness.ts';

const SNAPSHOT = new URL('tools.snapshot.json', import.meta.url);

describe('wire: tools', () => {
  const machine = useMachine();

  it('are those of the snapshot: a change is seen in review (UPDATE_SNAPSHOTS=1 takes it over)', async () => {
    const window = await machine.open({
      trees: { ws: { 'a.ipynb': '' } },
      user: { 'workspaceMcp.tools.profile': 'all' },
    });
    await machine.open({ trees: { other: {} } }); // for the tool that goes there
    const { tools } = (await window.rawAgent().request('tools/list')).result;
    const listed = `${JSON.stringify(tools, null, 2)}\n`;
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(SNAPSHOT, listed);
    assert.deepEqual(tools, JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });
});
