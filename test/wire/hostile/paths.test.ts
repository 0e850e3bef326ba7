/** Some hostile spellings of closed paths, against every tool and method that takes one; all of them are tried where paths are located. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { features } from '../../../src/features/index.ts';
import {
  CANARY,
  closedInside,
  NEVER,
  nameless,
  OPEN,
  outside,
  SECRET,
  sampled,
  THERE,
} from '../../unit/workspace/read/hostile/tree.ts';
import { Machine, type TestWindow } from '../harness.ts';
import type { RawAgent } from '../rawAgent.ts';
import { contents, setStage } from './stage.ts';
import { type Taker, takers, undecided } from './takers.ts';

describe('wire: hostile paths', () => {
  let machine: Machine;
  let window: TestWindow;
  let agent: RawAgent;
  let untouched: string;

  before(async () => {
    machine = new Machine();
    window = await setStage(machine);
    agent = await window.greeted();
    untouched = contents(machine);
  });

  after(() => machine.dispose());

  /** What comes for each path, as text. */
  async function answers({ method, params }: Taker, paths: readonly string[]): Promise<string[]> {
    agent.received.length = 0;
    agent.send(...paths.map((path, id) => ({ jsonrpc: '2.0', id, method, params: params(path) })));
    const found: string[] = [];
    for (const id of paths.keys()) {
      const { result, error } = await agent.answerTo(id);
      found.push(JSON.stringify(result ?? error));
    }
    return found;
  }

  it('knows of every argument that holds text whether it takes a path', () =>
    assert.deepEqual(
      undecided(features),
      [],
      'say in takers.ts how they are given one, or that they take none',
    ));

  for (const [number, taker] of takers(features).entries())
    it(`${taker.name}: nothing comes out, nothing is changed, and nothing is told`, async () => {
      const ws = window.path();
      const paths = sampled([...closedInside(ws), ...outside(ws, THERE)], number, 2);
      for (const [index, said] of (await answers(taker, paths)).entries()) {
        const what = `${JSON.stringify(paths[index])}: ${said.slice(0, 500)}`;
        assert.ok(!said.includes(SECRET), `contents: ${what}`);
        assert.ok(!said.includes(Buffer.from(SECRET).toString('base64').slice(0, -2)), `bytes: ${what}`);
        assert.ok(!said.includes(CANARY), `names: ${what}`);
        assert.doesNotMatch(said, /failed inside the extension/, what);
      }
      const ofThere = await answers(taker, sampled(outside(ws, THERE), number, 1));
      const ofNever = await answers(taker, sampled(outside(ws, NEVER), number, 1));
      const shown = ofThere.map(nameless);
      assert.deepEqual(shown, ofNever.map(nameless), 'what is there is told from what is not');
      assert.equal(contents(machine), untouched);
      assert.deepEqual(window.consent.questions, [], 'nobody is asked about what is closed');
      assert.deepEqual(window.consent.proposals, []);
      assert.deepEqual(shownClosed(window), []);
    });
});

/** Closed files that VS Code was made to show. */
const shownClosed = ({ fake }: TestWindow): string[] =>
  fake.commandsRun
    .filter(({ command }) => command === 'vscode.open')
    .map(({ args: [uri] }) => (uri as { fsPath: string }).fsPath)
    .filter((shown) => !OPEN.some((one) => shown.endsWith(join('/', one))));
