import assert from 'node:assert/strict';
import { READ_LINE } from '../fakes/vscode.ts';
import { until, useMachine } from './harness.ts';

/** Windows has no signals. */
const STOPPED =
  process.platform === 'win32' ? /was stopped by the user/ : /was stopped by the user, and ended by SIGTERM/;

describe('wire: runs of agents', () => {
  const machine = useMachine();

  for (const stops of [false, true])
    it(`${stops ? 'end' : 'go on'} when their agent has gone, if the setting says so`, async () => {
      const window = await machine.open({ trees: { ws: {} } });
      window.fake.person.sets('workspaceMcp.run.stopWithAgent', stops);
      window.consent.otherwise = () => ({ allow: 'once' });
      const one = await window.greeted();
      const call = { name: 'run_command', arguments: { command: `echo begun && ${READ_LINE}`, wait: 1 } };
      assert.match((await one.request('tools/call', call)).result.content[0].text, /still runs/);
      await one.end();
      await until(() => window.agents.length === 0, 'the agent to go');
      const other = await window.greeted();
      const read = { name: 'read_run', arguments: { run: 1, wait: stops ? 20 : 0 } };
      const { text } = (await other.request('tools/call', read)).result.content[0];
      assert.match(text, stops ? STOPPED : /still runs .*\n\nbegun\s*$/s);
    });
});
