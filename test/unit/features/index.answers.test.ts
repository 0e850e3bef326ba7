import assert from 'node:assert/strict';
import { Approvals } from '../../../src/access/consent/approvals.ts';
import type { Grantee, Question } from '../../../src/access/consent/types.ts';
import { features } from '../../../src/features/index.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { FakeConsent } from '../../fakes/consent.ts';
import { silent } from '../log.ts';
import {
  BREAKPOINTS,
  DELETES,
  type Doing,
  EACH,
  EDITS,
  openAll,
  TESTS,
  toolNamed,
  UNASKED,
} from './doings.ts';
import { CALL, cleanUp } from './window.ts';

const { grantLabel } = await import('../../../src/ui/approvals/grantText.ts');

const ONCE = { allow: 'once' } as const;

/** What each sentence on a question covers. A sentence that is not here covers one call alone. */
const COVERED: Record<string, readonly string[]> = {
  'Change text; create, move and copy files': Object.keys(EDITS),
  'Delete files and folders': Object.keys(DELETES),
  'Delete files and folders; Change text; create, move and copy files': [
    ...[...Object.keys(EDITS), ...Object.keys(DELETES), 'edit and delete by a patch'],
  ],
  'Run any tests, with what their files say then': Object.keys(TESTS),
  'Set breakpoints at lines, without condition and message': Object.keys(BREAKPOINTS),
};

const ALL = { ...EDITS, ...DELETES, ...TESTS, ...BREAKPOINTS, ...EACH };

/** The question of a call; undefined if it needs none. */
async function questionOf({
  tool,
  args,
  before = [],
  isOther,
  prepare,
}: Doing): Promise<Question | undefined> {
  const window = openAll();
  window.consent.otherwise = () => ONCE;
  for (const [name, given] of before) await window.run(toolNamed(name), given);
  prepare?.(window);
  const { questions } = window.consent;
  questions.length = 0;
  window.consent.otherwise = () => ({ deny: '' });
  const as = isOther ? window.another : window.ctx;
  try {
    const done = window.run(toolNamed(tool), args, CALL, as).catch((error: Error) => {
      if (questions.length === 0) throw error;
    });
    await done;
    assert.ok(questions.length <= 1, 'asks twice');
    return questions[0];
  } finally {
    cleanUp();
  }
}

const grantee = (): Grantee => ({ asker: { agent: 'test' }, granted: new Set(), denied: new Set() });
const approvals = ({ ask, inquire, propose, store }: FakeConsent) =>
  new Approvals({ ask, inquire, propose, store, setting: () => 'ask', log: silent });

/** Whether an answer to one question allows what another asks for. */
async function covers(one: Question, allow: 'session' | 'workspace', other: Question): Promise<boolean> {
  const consent = new FakeConsent();
  const [all, agent] = [approvals(consent), grantee()];
  consent.answers.push({ allow });
  const { recheck: _, ...request } = one; // its window is gone
  await all.approve(request, agent, CALL);
  return all.isAllowed(other, agent, CALL);
}

const questions = new Map<string, Question>();

/** Asked once for all tests of this file. */
async function questioned([what, doing]: [string, Doing]) {
  const question =
    questions.get(what) ?? (await questionOf(doing)) ?? assert.fail(`nobody is asked: ${what}`);
  questions.set(what, question);
  return { what, question };
}

describe('features/index: what an answer covers', () => {
  afterEach(cleanUp);

  it('all tools with all actions are in this test', () => {
    const doings = [...Object.values(ALL), ...Object.values(UNASKED)];
    const known = new Set(
      doings.map(({ tool, args }) => `${tool} ${(args as { action?: string }).action ?? ''}`),
    );
    const isProposal = ({ name }: Tool) => name === 'propose_edit'; // the user edits and accepts it
    const all = features.tools.filter((tool) => tool.operation !== 'read' && !isProposal(tool));
    const missing = all.flatMap(({ name, input }) => {
      const { action } = input.shape as { action?: { def: object } };
      const inner = action && ('innerType' in action.def ? action.def.innerType : action);
      const actions = inner ? Object.keys((inner as { enum: object }).enum) : [''];
      return actions
        .map((one) => `${name} ${one}`)
        .filter((one) => !known.has(one) && one !== 'debug_breakpoints set');
    });
    assert.deepEqual(missing, []);
  });

  for (const [what, doing] of Object.entries(UNASKED))
    it(`needs no question: ${what}`, async () => assert.equal(await questionOf(doing), undefined));

  for (const allow of ['session', 'workspace'] as const)
    it(`each pair of calls is covered by the sentence that was shown, or asked about: ${allow}`, async () => {
      const asked: Awaited<ReturnType<typeof questioned>>[] = [];
      for (const one of Object.entries(ALL)) asked.push(await questioned(one));
      const pairs = asked.flatMap((one) => asked.map((other) => [one, other] as const));
      const wrong = await Promise.all(
        pairs.map(async ([one, other]) => {
          const sentence = one.question.grants.map(grantLabel).join('; ');
          const covered = sentence === '' ? [] : (COVERED[sentence] ?? [one.what]);
          const isWanted = covered.includes(other.what);
          return (await covers(one.question, allow, other.question)) === isWanted
            ? []
            : `${one.what} (${sentence}) ${isWanted ? 'does not cover' : 'covers'} ${other.what}`;
        }),
      );
      assert.deepEqual(wrong.flat(), []);
    });

  it('a denial for the session reaches all of its kind, by whatever tool', async () => {
    const agent = grantee();
    agent.denied.add('task').add('test');
    const all = approvals(new FakeConsent());
    for (const what of ['run a task', 'debug one with a task', 'run all tests', 'debug a test']) {
      const { question } = await questioned([what, ALL[what] ?? assert.fail(what)]);
      const refused = () => all.isAllowed(question, agent, CALL);
      assert.throws(refused, /denied every (task|test) in this session/, what);
    }
  });
});
