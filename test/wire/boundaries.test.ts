/** The window goes at each message of a session: before it, in the middle of it, or after it; and comes back. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Break, Breaker } from './breaker.ts';
import { Machine, type TestWindow } from './harness.ts';
import { Script } from './script.ts';

/** More than any session has: a break that does not come is no break. */
const MOST_LINES = 12;

const WAYS = ['legacy', 'modern at once', 'legacy at once'] as const;
type Way = (typeof WAYS)[number];

async function openWindow(machine: Machine): Promise<TestWindow> {
  const window = await machine.open({ trees: { ws: { 'a.txt': '#\n' } } });
  window.fake.person.opensTab(window.path('a.txt'));
  window.fake.languageServer = () => [];
  window.consent.otherwise = () => ({ allow: 'once' });
  return window;
}

/** A session over one break. False where it came to its end without. */
async function walk(window: TestWindow, breaker: Breaker, at: Break, way: Way, name: string) {
  const agent = window.rawAgent();
  const era = way.startsWith('legacy') ? 'legacy' : 'modern';
  const script = new Script(agent, { era, name, uri: window.uri('a.txt') });
  const before = breaker.broken;
  breaker.next = at;
  if (way.endsWith('at once')) await script.runAtOnce();
  else await script.run();
  await hearsOfChanges(window, agent, era);
  const { code, stderr } = await agent.end();
  assert.deepEqual([code, stderr], [0, '']);
  script.check(readFileSync(window.path('a.txt'), 'utf8'));
  return breaker.broken > before;
}

/** What was subscribed to still is. */
async function hearsOfChanges(window: TestWindow, agent: ReturnType<TestWindow['rawAgent']>, era: string) {
  const before = agent.received.length;
  window.fake.person.types(window.fake.person.loads(window.path('a.txt')), ' ');
  await agent.until(
    (message) =>
      agent.received.indexOf(message) >= before && message.method === 'notifications/resources/updated',
  );
  if (era === 'legacy') assert.ok((await agent.request('ping')).result);
}

/** Each line breaks in another way each time; all lines break in all ways, over the ways of a session. */
const breaks = function* (way: Way): Generator<Break> {
  for (const [side, from] of (['agent', 'window'] as const).entries())
    for (let line = 1; line <= MOST_LINES; line++) {
      const arrives = (['not', 'half', 'all'] as const)[(line + side + WAYS.indexOf(way)) % 3] ?? 'all';
      yield { from, line, arrives };
    }
};

/** Letters only, so that no name begins another. */
const nameOf = (index: number): string =>
  `${index}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '').padStart(4, 'x');

describe('wire: a window goes at each boundary of a session', () => {
  for (const way of WAYS)
    it(`${way}: no request is lost, none is answered twice, no edit is made twice`, async () => {
      const machine = new Machine();
      const window = await openWindow(machine);
      const breaker = new Breaker();
      await breaker.lieBefore(machine, window);
      const ended = new Set<Break['from']>(); // a side that has no more lines
      for (const [index, at] of [...breaks(way)].entries()) {
        if (ended.has(at.from)) continue;
        if (!(await walk(window, breaker, at, way, nameOf(index)))) ended.add(at.from);
        breaker.next = undefined;
      }
      assert.ok(breaker.broken > 13, `${breaker.broken} sessions were broken`);
      breaker.close();
      await machine.dispose();
    });
});
