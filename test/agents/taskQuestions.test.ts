/** Questions about calls that have become tasks: Claude Code shows them as forms, while the window does not have the focus, if the user wants that. */
import assert from 'node:assert/strict';
import { until } from '../until.ts';
import { ends, OUTPUT, RUN, useClaudeCode, written } from './claudeTasks.ts';
import { onLinux, type Terminal } from './terminal.ts';

/** Which allow once in the form: open the first field, take what is first, go to "Accept", and press it. */
const ALLOWING = ['\x1b[C', '\r', '\x1b[B', '\r'];

const FORM = 'requests your input';

describe('agents: questions of tasks', () => {
  const { machines, claudeCode } = useClaudeCode();

  /** A question that has become a task, about a command that ends at once. */
  async function asking(isAway: boolean) {
    const window = await machines.open();
    ends(window);
    window.fake.person.sets('workspaceMcp.askInTerminal', true);
    const { state } = window.fake.window;
    if (isAway) state.focused = state.active = false;
    const { isTask, ...claude } = await claudeCode(window, [RUN]);
    const terminal = claude.start('go');
    await isTask();
    if (isAway) await waitForForm(terminal);
    return { window, terminal, ...claude };
  }

  for (const isAway of [false, true])
    onLinux(
      `a question comes back, answered in ${isAway ? 'a form of Claude Code' : 'VS Code'}`,
      async () => {
        const { window, terminal, comes } = await asking(isAway);
        window.fake.window.state.focused = true; // the terminal may be VS Code's own
        if (isAway) await allow(terminal);
        else window.consent.answer({ allow: 'once' });
        await comes(OUTPUT);
        assert.equal(terminal.text.includes(FORM), isAway);
        assert.equal(written(window), `${OUTPUT}\n`);
        assert.equal(window.consent.open, 0);
        const [agent] = window.agents;
        assert.deepEqual([window.consent.always, agent?.allowed.size], [[], 0]);
      },
    ).timeout(600_000);

  onLinux('a question is answered in VS Code while Claude Code shows its form', async () => {
    const { window, terminal, comes } = await asking(true);
    window.consent.answer({ allow: 'once' });
    await until(() => written(window) !== '', 'the end of the command');
    terminal.types('\x1b'); // it does not ask for the task before
    await comes(OUTPUT);
    assert.equal(written(window), `${OUTPUT}\n`);
  }).timeout(600_000);

  onLinux('a question outlives Claude Code', async () => {
    const { window, terminal, start, comes } = await asking(true);
    terminal.kills();
    await until(() => window.server.connections === 0, 'the agent to go');
    assert.equal(window.consent.open, 1);
    const next = start('--continue');
    await waitForForm(next);
    await allow(next);
    await comes(OUTPUT);
    assert.equal(window.consent.open, 0);
    assert.equal(written(window), `${OUTPUT}\n`);
  }).timeout(600_000);
});

/** The form is there, and takes keys. */
async function waitForForm(terminal: Terminal): Promise<void> {
  await until(() => terminal.text.includes(FORM), 'a form');
  await terminal.isQuiet();
}

/** Fills the form in, as its user does. */
async function allow(terminal: Terminal): Promise<void> {
  for (const key of ALLOWING) {
    terminal.types(key);
    await terminal.isQuiet();
  }
}
