import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { calling, textOf } from './calling.ts';
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

  it('are called by old names too: the answer says what they are now', async () => {
    const agent = (await machine.open({ trees: { ws: { 'a.txt': 'a' } } })).rawAgent();
    const copy = await calling(agent, 'copy_path', { source: 'a.txt', destination: 'b.txt', dryRun: true });
    assert.equal(
      textOf(copy),
      '[Note: copy_path is now move_path with copy: true.]\nNot done yet. a.txt: copied to b.txt.',
    );
    const listed = await calling(agent, 'list_windows');
    assert.match(textOf(listed), /^\[Note: list_windows is now select_window without window\.\]\n\w+ \(/);
    assert.equal(listed.structuredContent.windows.length, 1);
    const wrong = await calling(agent, 'create_directory');
    assert.match(textOf(wrong), /^\[Note: create_directory is now .*\]\nInvalid arguments for write_file/);
    assert.equal(wrong.isError, true);
    assert.match(textOf(await calling(agent, 'copy')), /Unknown tool "copy"/);
  });
});
