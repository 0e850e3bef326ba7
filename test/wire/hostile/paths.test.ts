/** Hostile spellings of closed paths, against every tool and method that takes one. */
import assert from 'node:assert/strict';
import { features } from '../../../src/features/index.ts';
import { itWithLinks } from '../../temporary.ts';
import { Machine, type TestWindow } from '../harness.ts';
import type { Message, RawAgent } from '../rawAgent.ts';
import type { Target } from './spellings.ts';
import { CANARY, closedInside, contents, NEVER, outside, SECRET, setStage, spelled, THERE } from './stage.ts';
import { type Taker, takers, undecided } from './takers.ts';

/** Requests that are under way at a time. */
const AT_ONCE = 25;

describe('wire: hostile paths', () => {
  let machine: Machine;
  let window: TestWindow;
  let agent: RawAgent;
  let untouched: string;

  before(async () => {
    machine = new Machine();
    window = await setStage(machine);
    agent = window.rawAgent();
    await agent.initialize();
    untouched = contents(machine);
  });

  after(() => machine.dispose());

  async function answers({ method, params }: Taker, paths: readonly string[]): Promise<Message[]> {
    const found: Message[] = [];
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const part = paths.slice(at, at + AT_ONCE);
      agent.send(...part.map((path, id) => ({ jsonrpc: '2.0', id, method, params: params(path) })));
      for (const id of part.keys()) found.push(await agent.answerTo(id));
      agent.received.length = 0;
    }
    return found.map(({ result, error }) => result ?? error);
  }

  it('knows of every argument that holds text whether it takes a path', () =>
    assert.deepEqual(
      undecided(features),
      [],
      'say in takers.ts how they are given one, or that they take none',
    ));

  it('has hundreds of them', () => {
    const targets = [...closedInside(window), ...outside(window, THERE)];
    const paths = new Set(targets.flatMap((target) => spelled(target).map(([, path]) => path)));
    const [some] = targets;
    assert.ok(some && new Set(spelled(some).map(([, path]) => path)).size > 140);
    assert.ok(paths.size > 1500, `${paths.size}`);
  });

  for (const taker of takers(features)) {
    /** All spellings of these; of a slow taker each spelling with every eighth target, so that each target has its turn. */
    const tried = (targets: readonly Target[]): string[] =>
      targets.flatMap((target, index) =>
        spelled(target)
          .filter((_, at) => !taker.isSlow || (index + at) % 8 === 0)
          .map(([, path]) => path),
      );
    itWithLinks(`${taker.name}: nothing of what is closed comes out, and nothing is changed`, async () => {
      const paths = [...new Set(tried([...closedInside(window), ...outside(window, THERE)]))];
      for (const [index, answer] of (await answers(taker, paths)).entries()) {
        const said = JSON.stringify(answer);
        const what = `${JSON.stringify(paths[index])}: ${said.slice(0, 500)}`;
        assert.ok(!said.includes(SECRET), `contents: ${what}`);
        assert.ok(!said.includes(Buffer.from(SECRET).toString('base64').slice(0, -2)), `bytes: ${what}`);
        assert.ok(!said.includes(CANARY), `names: ${what}`);
        assert.doesNotMatch(said, /failed inside the extension/, what);
      }
      assert.equal(contents(machine), untouched);
      assert.deepEqual(window.consent.questions, [], 'nobody is asked about what is closed');
      assert.deepEqual(window.consent.proposals, []);
      assert.deepEqual(shownClosed(window), []);
    });

    itWithLinks(`${taker.name}: what is there outside is told from what is not by nothing`, async () => {
      const [there, never] = [tried(outside(window, THERE)), tried(outside(window, NEVER))];
      const [ofThere, ofNever] = [await answers(taker, there), await answers(taker, never)];
      const told = ofThere.flatMap((answer, index) => {
        const [one, other] = [nameless(answer), nameless(ofNever[index])];
        return one === other ? [] : [[there[index], one, other]];
      });
      assert.deepEqual(told, []);
    });
  }
});

/** Closed files that VS Code was made to show. */
const shownClosed = ({ fake }: TestWindow): string[] =>
  fake.commandsRun
    .filter(({ command }) => command === 'vscode.open')
    .map(({ args: [uri] }) => (uri as { fsPath: string }).fsPath)
    .filter((path) => !/\/(a\.txt|b\.ts|c\.ts)$/.test(path));

/** An answer without the names by which the two were asked for, in any case and escaped, also twice. */
const nameless = (answer: Message): string =>
  JSON.stringify(answer)
    .replaceAll(new RegExp(`${stem(THERE)}|${stem(NEVER)}`, 'gi'), 'NAME')
    .replaceAll(/%(25)?(6d|6e|4d|4e)/gi, '%__');

const stem = (name: string): string => name.replace('.txt', '');
