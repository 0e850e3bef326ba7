import assert from 'node:assert/strict';
import { Machine, until } from './harness.ts';

describe('wire: runs of agents', () => {
  let machine: Machine;
  beforeEach(() => {
    machine = new Machine();
  });
  afterEach(() => machine.dispose());

  for (const stops of [false, true])
    it(`${stops ? 'end' : 'go on'} when their agent has gone, if the setting says so`, async () => {
      const window = await machine.open({ trees: { ws: {} } });
      window.fake.person.sets('workspaceMcp.run.stopWithAgent', stops);
      window.consent.otherwise = () => ({ allow: 'once' });
      const one = window.rawAgent();
      await one.initialize();
      const call = { name: 'run_command', arguments: { command: 'echo begun; exec sleep 1000', wait: 1 } };
      assert.match((await one.request('tools/call', call)).result.content[0].text, /still runs/);
      await one.end();
      await until(() => window.agents.length === 0, 'the agent to go');
      const other = window.rawAgent();
      await other.initialize();
      const read = { name: 'read_run', arguments: { run: 1, wait: stops ? 20 : 0 } };
      const { text } = (await other.request('tools/call', read)).result.content[0];
      assert.match(
        text,
        stops ? /was stopped by the user, and ended by SIGTERM/ : /still runs .*\n\nbegun$/s,
      );
    });
});
