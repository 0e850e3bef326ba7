/** What the user sends from VS Code to the real programs of agents that wait in a terminal: their scripted model gets it at once. */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { until } from '../until.ts';
import { useMachine } from '../wire/harness.ts';
import type { TestWindow } from '../wire/testWindow.ts';
import { reviewHooks } from './codex.ts';
import { driven } from './driven.ts';
import { installed, prepareHome, type Surroundings } from './programs.ts';
import { startModel } from './scriptedModel.ts';
import { CLAUDE_ENV, isIdle, onLinux, startInTerminal, withoutQuestions } from './terminal.ts';

interface Row {
  id: string;
  /** Its arguments in a terminal, by those without one. */
  args: (args: string[]) => string[];
  env?: NodeJS.ProcessEnv;
  /** What it would ask when it first starts. */
  answer?: (surroundings: Surroundings) => unknown;
}

const rows: readonly Row[] = [
  {
    id: 'claude-code',
    args: () => ['go'],
    env: CLAUDE_ENV,
    answer: withoutQuestions,
  },
  {
    id: 'codex',
    args: ([, , ...args]) => args,
    async answer(surroundings) {
      await reviewHooks(surroundings);
      const trusted = `\n[projects.${JSON.stringify(surroundings.cwd)}]\ntrust_level = "trusted"\n`;
      appendFileSync(join(surroundings.home, '.codex', 'config.toml'), trusted);
    },
  },
  { id: 'opencode', args: ([, ...args]) => [...args.slice(0, -1), '--prompt', 'go'] },
];

describe('agents: what wakes real programs', () => {
  const machines = useMachine();
  const { CODEX_HOME, PATH } = process.env;
  afterEach(() => {
    Object.assign(process.env, { PATH });
    if (CODEX_HOME === undefined) delete process.env.CODEX_HOME;
    else process.env.CODEX_HOME = CODEX_HOME;
  });

  for (const row of rows)
    onLinux(row.id, async () => {
      const { program, drive } = driven.findLast(({ id }) => id === row.id) ?? assert.fail();
      const path = await installed(program);
      const window = await machines.open();
      const { surroundings, configure } = prepareHome(machines.root, window.path());
      await configure(row.id, 'user');
      await row.answer?.(surroundings);
      // The window starts it by its name.
      Object.assign(process.env, {
        PATH: `${join(path, '..')}${delimiter}${PATH}`,
        CODEX_HOME: join(surroundings.home, '.codex'),
      });
      const waiting = waits(window);
      const requests: string[] = [];
      const model = await startModel([], ({ text }) => requests.push(text));
      const { args, env } = drive(model.url, surroundings);
      const terminal = startInTerminal([path, ...row.args(args)], {
        ...surroundings,
        env: { ...env, ...row.env },
      });
      try {
        await sends(window, 'Look\nat "this"', requests);
        await sends(window, 'And at that', requests);
      } finally {
        terminal.close();
        model.close();
      }
      await until(() => window.hooks.sessions.receivers().length === 0, 'the end of the session');
      await until(() => waiting.every(({ aborted }) => aborted), 'the end of the process that waits');
      assert.equal(waiting.length > 0, row.id !== 'codex');
      const titles = [1, 2, 3, 4].map((turn) => window.journal.turn(turn)?.title);
      assert.deepEqual(titles, ['go', 'Look at "this"', 'And at that', undefined]);
    }).timeout(600_000);
});

/** Aborted when a process that waits is gone. */
function waits({ hooks }: TestWindow): AbortSignal[] {
  const signals: AbortSignal[] = [];
  const take = hooks.take.bind(hooks);
  hooks.take = (event, ctx, signal) => {
    if (event.moment === 'wait') signals.push(signal);
    return take(event, ctx, signal);
  };
  return signals;
}

/** To a session that is idle. */
async function sends(window: TestWindow, words: string, requests: string[]): Promise<void> {
  const { hooks } = window;
  await until(() => isIdle(window), 'an idle session');
  const [{ key } = { key: '' }] = hooks.sessions.receivers();
  assert.equal(await hooks.sessions.send(key, words, []), 'now');
  const escaped = JSON.stringify(words).slice(1, -1);
  await until(() => requests.some((text) => text.includes(escaped)), 'a request with the words');
}
