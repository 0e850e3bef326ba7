import assert from 'node:assert/strict';
import { setImmediate as settle } from 'node:timers/promises';
import { URI } from 'vscode-uri';
import type { ApprovalKind } from '../../../../src/access/accessSettings.ts';
import { Approvals } from '../../../../src/access/consent/approvals.ts';
import type {
  ApprovalOptions,
  ApprovalRequest,
  Grantee,
  Question,
  WaitingCall,
} from '../../../../src/access/consent/types.ts';
import { CancelledError, UserError } from '../../../../src/core/errors.ts';
import { runGrant } from '../../../../src/core/grants.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeConsent } from '../../../fakes/consent.ts';
import { silent } from '../../log.ts';

const EDIT: ApprovalRequest = { kind: 'edit', tool: 'edit_file', subject: 'a.ts' };
const RUN: ApprovalRequest = { kind: 'run', tool: 'run_task', subject: 'build' };

const never = new AbortController().signal;

/** An agent with a session of its own. */
const agent = (name = 'agent'): Grantee => ({
  asker: { agent: name },
  granted: new Set(),
  denied: new Set(),
});

function setUp(options: Partial<ApprovalOptions> = {}) {
  const consent = new FakeConsent();
  const { ask, inquire, propose, store } = consent;
  const settings: Partial<Record<ApprovalKind, 'allow' | 'deny'>> = {};
  const setting = (kind: ApprovalKind) => settings[kind] ?? 'ask';
  const approvals = new Approvals({ ask, inquire, propose, store, setting, log: silent, ...options });
  const told: [number, message: string | undefined][] = [];
  const progress: WaitingCall['progress'] = (progress, _, message) => void told.push([progress, message]);
  const require = (request: ApprovalRequest, grantee: Grantee, signal = never, requireOn = () => {}) =>
    approvals.approve(request, grantee, { signal, progress, requireOn });
  return { approvals, consent, settings, require, told };
}

/** All of them come after one another: what each was rejected with, or gave. */
const outcomes = async (all: Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map((one) =>
    one.status === 'rejected' ? (one.reason as Error).message : one.value,
  );

describe('access/consent/approvals', () => {
  const clock = holdClock();

  it('asks once, and tells the agent that it waits, for as long as it does, and nothing where nobody is asked', async () => {
    const { consent, require, settings, told } = setUp();
    const asked = require(EDIT, agent('Claude Code'));
    await clock.pass(20_000);
    assert.partialDeepStrictEqual(consent.questions, [{ ...EDIT, agent: 'Claude Code' }]);
    consent.answer({ allow: 'once' });
    await asked;
    settings.edit = 'allow';
    await require(EDIT, agent());
    await clock.pass(20_000);
    const progresses = told.map(([progress]) => progress);
    assert.deepEqual(progresses, [0, 10, 20]);
    assert.match(told[0]?.[1] ?? '', /user to answer in VS Code/);
  });

  it('asks each time, whatever else is allowed, where that is wanted, and allows nothing else', async () => {
    const guard = { guarded: { by: 'links' } } as const;
    const diffs = [{ uri: URI.file('/ws/a.ts') as never, path: 'a.ts', before: 'a', after: 'b', guard }];
    const GUARDED: ApprovalRequest = { ...EDIT, diffs };
    const { consent, require, settings } = setUp();
    const grantee = agent();
    settings.edit = 'allow';
    consent.always = ['edit'];
    grantee.granted.add('edit');
    consent.answers.push({ allow: 'once' }, { deny: 'no' });
    assert.equal(await require(GUARDED, grantee), 'shown');
    await assert.rejects(require(GUARDED, grantee), /no$/);
    delete settings.edit;
    consent.always = [];
    grantee.granted.clear();
    consent.answers.push({ allow: 'session' }, { allow: 'workspace' });
    for (let times = 0; times < 2; times++) assert.equal(await require(GUARDED, grantee), 'shown');
    assert.deepEqual([consent.always, grantee.granted.size], [[], 0]);
  });

  describe('when the settings change, questions that they answer go', () => {
    for (const change of ['allow', 'deny'] as const)
      it(`to "${change}": the one that stands and those behind it`, async () => {
        const { approvals, consent, require, settings } = setUp();
        const all = [require(EDIT, agent()), require(EDIT, agent()), require(RUN, agent())];
        const ended = Promise.allSettled(all.slice(0, 2));
        await settle();
        settings.edit = change;
        approvals.settingsChanged();
        for (const { status } of await ended)
          assert.equal(status, change === 'allow' ? 'fulfilled' : 'rejected');
        await settle();
        assert.deepEqual([consent.open, consent.questions.at(-1)?.kind], [1, 'run']);
        consent.answer({ allow: 'once' });
        await all[2];
      });

    it('with the tool that is switched off', async () => {
      const { approvals, consent, require } = setUp();
      let isOn = true;
      const requireOn = () => {
        if (!isOn) throw new UserError('switched off');
      };
      const asked = assert.rejects(require(EDIT, agent(), never, requireOn), /switched off/);
      await settle();
      isOn = false;
      approvals.settingsChanged();
      await asked;
      assert.equal(consent.open, 0);
    });
  });

  it('what is allowed once is asked for again; for the session not, of this session and this kind only', async () => {
    const { consent, require } = setUp();
    const [mine, other] = [agent('same name'), agent('same name')];
    consent.answers.push({ allow: 'once' }, { allow: 'session' }, { deny: 'not you' }, { deny: 'not that' });
    const said = [];
    for (let times = 0; times < 4; times++) said.push(await require(EDIT, mine));
    assert.deepEqual(said, ['shown', 'allowed', 'allowed', 'allowed']);
    await assert.rejects(require(EDIT, other), /not you/);
    await assert.rejects(require(RUN, mine), /not that/);
    assert.deepEqual([consent.questions.length, consent.always], [4, []]);
  });

  it('a file, or a folder, is allowed for the session: its text and new files, not links, moves or what is outside', async () => {
    const { consent, require } = setUp();
    const change = (path: string, more: object = {}) => {
      const diffs = [{ uri: URI.file(`/ws/${path}`) as never, path, before: 'a', after: 'b', ...more }];
      return { ...EDIT, diffs };
    };
    const both = { ...EDIT, diffs: [...change('src/in/a.ts').diffs, ...change('src/b.ts').diffs] };
    const mine = agent();
    consent.answers.push({ allow: 'file' });
    await require(change('src/a.ts'), mine);
    assert.deepEqual(consent.questions.pop()?.places, { file: 'src/a.ts', folder: 'src/' });
    assert.equal(await require(change('src/a.ts'), mine), 'allowed');
    consent.answers.push({ allow: 'folder' });
    await require(both, mine);
    const [{ places, allowed } = {}] = consent.questions.splice(0);
    assert.deepEqual([places, allowed], [{ folder: 'src/' }, ['edit:file:///ws/src/a.ts']]);
    for (const one of [both, change('src/new.ts', { operation: { type: 'create' } })])
      assert.equal(await require(one, mine), 'allowed');
    const others = [
      ...[change('srcs/a.ts'), change('a.ts'), { ...change('src/a.ts'), everyTime: true }],
      ...[change('src/a.ts', { target: 'out/b.ts' }), { ...change('src/a.ts'), also: 'command' as const }],
      change('src/a.ts', { operation: { type: 'move', to: 'out/a.ts' } }),
    ];
    for (const one of others) {
      consent.answers.push({ deny: '' });
      await assert.rejects(require(one, mine), /denied/);
    }
    assert.deepEqual(consent.questions.at(0)?.places, { file: 'srcs/a.ts', folder: 'srcs/' });
    assert.deepEqual(consent.questions.at(2)?.places, {});
  });

  it('the question follows the text under it; only another change of its own lines is another question', async () => {
    const { consent, require } = setUp();
    const planned = (before: string) => {
      const diffs = [
        { uri: 'file:///a.ts' as never, path: 'a.ts', before, after: before.replace('two', '2') },
      ];
      return { ...EDIT, diffs };
    };
    let tell = (_now: ApprovalRequest): void => assert.fail('Nobody follows.');
    const follow = (listener: (now: ApprovalRequest) => void) => {
      tell = listener;
      return { dispose() {} };
    };
    // What only the tool knows of it is in no later plan.
    const own = { intent: { type: 'patch' }, also: 'command', commandLine: 'my.fix' } as const;
    const asked = require({ ...planned('one\ntwo\n'), ...own, follow }, agent());
    await settle();
    const seen: Question[] = [];
    consent.questions[0]?.follow?.((now) => seen.push(now));
    tell(planned('typed\none\ntwo\n'));
    tell(planned('typed\none\ntwo typed\n'));
    tell(planned('one\ntwo typed\n'));
    const first = consent.questions[0]?.id ?? 0;
    assert.deepEqual(
      seen.map(({ id, again, changes }) => [id, again, changes?.[0]?.lines.length]),
      [
        [first, undefined, 4],
        [first + 1, true, 4],
        [first + 1, true, 3],
      ],
    );
    for (const one of seen) assert.partialDeepStrictEqual(one, own);
    consent.answer({ allow: 'once' });
    assert.equal(await asked, 'shown');
  });

  it('what is allowed in this workspace is kept, which is told, and holds for all until it is taken back', async () => {
    const { approvals, consent, require } = setUp();
    const seen: string[] = [];
    const listening = approvals.onDidChange(() => seen.push(`${approvals.waiting} ${consent.always}`));
    consent.answers.push({ allow: 'workspace' });
    await require(EDIT, agent());
    await require(EDIT, agent());
    assert.deepEqual(seen, ['1 ', '1 edit', '0 edit']);
    listening.dispose();
    consent.always = [];
    consent.answers.push({ deny: '' });
    await assert.rejects(require(EDIT, agent()), /denied/);
    assert.equal(seen.length, 3);
  });

  it('tells the reason of a denial, where there is one, and asks again next time', async () => {
    const { consent, require } = setUp();
    consent.answers.push({ deny: 'Use the new API.' }, { deny: '' }, { allow: 'once' });
    const grantee = agent();
    const message = 'The user denied this call. Nothing was changed or run.';
    await assert.rejects(require(EDIT, grantee), new UserError(`${message} Their reason: Use the new API.`));
    await assert.rejects(require(EDIT, grantee), new UserError(message));
    await require(EDIT, grantee);
  });

  it('denied for the session, denies all of that kind without a question, until that is taken back', async () => {
    const { consent, settings, require } = setUp();
    const [grantee, other] = [agent(), agent()];
    settings.run = 'allow';
    consent.answers.push({ deny: '', session: true }, { deny: 'not you' }, { allow: 'once' });
    const all = [require(EDIT, grantee), require(EDIT, grantee)];
    for (const one of all) await assert.rejects(one, /denied/);
    await assert.rejects(require({ ...EDIT, everyTime: true }, grantee), /every edit in this session/);
    await assert.rejects(require(EDIT, other), /not you/);
    await require(RUN, grantee);
    grantee.denied.clear();
    await require(EDIT, grantee);
    assert.equal(consent.questions.length, 3);
  });

  it('keeps an answer to tests, never to a task, a command of more than words, or to what saves; a setting answers them all', async () => {
    const { consent, settings, require } = setUp();
    const grantee = agent();
    consent.otherwise = () => ({ allow: 'session' });
    const asks = async (request: Partial<ApprovalRequest>) => {
      const before = consent.questions.length;
      await require({ ...RUN, ...request }, grantee);
      return consent.questions.length > before;
    };
    const grant = (cwd: string) => runGrant({ words: ['make'], cwd });
    for (const [request, asksAgain] of [
      [{ kind: 'test' }, false],
      [{ kind: 'test', everyTime: true }, true],
      [{ kind: 'task' }, true],
      [{ kind: 'run' }, true],
      [{ kind: 'run', grant: grant('/ws') }, false],
      [{ kind: 'run', grant: grant('/ws/b') }, false],
      [{ kind: 'debug' }, true],
      [{ kind: 'command' }, true],
      [{ kind: 'test', also: 'task' }, true],
      [{ kind: 'edit', everyTime: true }, true],
    ] as const) {
      assert.equal(await asks(request), true);
      assert.equal(await asks(request), asksAgain, JSON.stringify(request));
      settings[request.kind] = 'allow';
      if ('also' in request) settings[request.also] = 'allow';
      assert.equal(await asks(request), false);
      for (const kind of ['task', request.kind] as const) delete settings[kind];
    }
    assert.equal(grantee.granted.size, 3);
  });

  it('asks nobody where the setting is "deny", whatever was allowed before', async () => {
    const { consent, settings, require } = setUp();
    const grantee = agent();
    grantee.granted.add('edit');
    consent.always = ['edit'];
    settings.edit = 'deny';
    for (const everyTime of [false, true])
      await assert.rejects(require({ ...EDIT, everyTime }, grantee), /"edit" off.*workspaceMcp\.approvals/);
    assert.deepEqual(consent.questions, []);
  });

  describe('the time of a question', () => {
    it('begins when it is shown, is shorter than what clients wait, and then the question is taken away', async () => {
      const { approvals, consent, require } = setUp();
      const [first, second] = [require(EDIT, agent()), require(RUN, agent())];
      await settle();
      await clock.pass(200_000);
      consent.answer({ allow: 'once' });
      await first;
      const ended = outcomes([second]);
      await clock.pass(279_999);
      assert.equal(consent.open, 1);
      const { askedAt, endsAt } = consent.questions[1] ?? assert.fail();
      assert.ok(Math.abs(endsAt - askedAt - 280_000) < 10_000, 'both are times of day');
      await clock.pass(1);
      assert.match(String(await ended), /Nobody answered .* within 480 s, so nothing was done/);
      assert.deepEqual([consent.open, approvals.waiting], [0, 0]);
    });

    it('ends before a known client gives the call up, for those in its queue as well', async () => {
      const { approvals, consent, require } = setUp();
      const first = require(EDIT, agent());
      const ended = outcomes([EDIT, RUN, EDIT].map((one) => require(one, agent('Cline'))));
      await clock.pass(50_000);
      consent.answer({ allow: 'once' });
      await first;
      await clock.pass(6_999);
      assert.equal(consent.open, 1);
      await clock.pass(1);
      for (const said of await ended) assert.match(String(said), /Nobody answered .* within 57 s/);
      assert.deepEqual([consent.open, approvals.waiting], [0, 0]);
    });

    it('ends before the usual limit of a client that is neither known nor told that the call waits', async () => {
      const { approvals, consent } = setUp();
      const asked = ['agent', '@cline/core', 'gemini-cli-mcp-client'].map((name) =>
        approvals.approve(EDIT, agent(name), { signal: never }),
      );
      const ended = outcomes(asked.slice(0, 2));
      await clock.pass(56_999);
      assert.equal(approvals.waiting, 3);
      await clock.pass(1);
      for (const said of await ended) assert.match(String(said), /Nobody answered .* within 57 s/);
      consent.answer({ allow: 'once' });
      assert.deepEqual(await outcomes(asked.slice(2)), ['shown']);
    });

    it('does not hold up the queue, though what keeps the answer never comes to an end', async () => {
      const { consent, require } = setUp({ store: { get: () => [], set: () => new Promise(() => {}) } });
      consent.answers.push({ allow: 'workspace' }, { allow: 'once' });
      const ended = outcomes([require(EDIT, agent()), require(EDIT, agent())]);
      await clock.pass(280_000);
      assert.match(String(await ended), /^Nobody answered.*,shown$/);
    });
  });

  it('a cancelled request in the queue is never put, and a shown question is taken away: the queue goes on', async () => {
    const { approvals, consent, require } = setUp();
    const [shown, queued] = [new AbortController(), new AbortController()];
    const all = [require(EDIT, agent(), shown.signal), require(EDIT, agent(), queued.signal)];
    const last = require(RUN, agent('Codex'));
    await settle();
    const askers = consent.questions[0]?.askers() ?? [];
    assert.deepEqual([askers.length, approvals.waiting, askers[2]?.agent], [3, 3, 'Codex']);
    queued.abort();
    await assert.rejects(all[1] ?? Promise.resolve(), CancelledError);
    await settle();
    assert.deepEqual([approvals.waiting, consent.questions.length, consent.open], [2, 1, 1]);
    shown.abort();
    await assert.rejects(all[0] ?? Promise.resolve(), CancelledError);
    await settle();
    assert.deepEqual([approvals.waiting, consent.open, consent.questions[1]?.kind], [1, 1, 'run']);
    consent.answer({ allow: 'once' });
    await last;
  });

  it('takes no answer that comes after the cancellation', async () => {
    const { consent, require } = setUp();
    const cancel = new AbortController();
    const grantee = agent();
    const asked = require(EDIT, grantee, cancel.signal);
    await settle();
    cancel.abort();
    consent.answerAnyway({ allow: 'session' });
    await assert.rejects(asked, CancelledError);
    assert.deepEqual([...grantee.granted], []);
  });

  describe('several questions', () => {
    it('of a session are answered by "for this session"; another one is still asked', async () => {
      const { consent, require } = setUp();
      const [mine, other] = [agent('mine'), agent('other')];
      const all = [require(EDIT, mine), require(EDIT, other), require(EDIT, mine), require(RUN, mine)];
      await settle();
      consent.answer({ allow: 'session' });
      await settle();
      consent.answer({ deny: 'no' });
      await assert.rejects(all[1] ?? Promise.resolve(), /denied this call/);
      await Promise.all([all[0], all[2]]);
      await settle();
      consent.answer({ allow: 'once' });
      await all[3];
      const asked = consent.questions.map(({ agent, kind }) => `${agent} ${kind}`);
      assert.deepEqual(asked, ['mine edit', 'other edit', 'mine run']);
    });

    it('of one agent do not keep those of others waiting; all end when the window closes', async () => {
      const { approvals, consent, require } = setUp();
      const [busy, other] = [agent('busy'), agent('other')];
      const all = Array.from({ length: 20 }, () => require(EDIT, busy));
      await settle();
      all.push(require(EDIT, other));
      const inquiry = { message: 'Which?', choices: [], freeText: true };
      const asking = approvals.inquire(inquiry, other, { signal: never, progress: () => {} });
      for (let answered = 0; answered < 3; answered++) {
        consent.answer({ allow: 'once' });
        await settle();
      }
      const agents = [...consent.questions, ...consent.inquiries].map(({ agent }) => agent);
      assert.deepEqual(agents, ['busy', 'other', 'busy', 'other']);
      assert.equal(approvals.waiting, 19);
      approvals.close();
      const ended = (await outcomes([...all, asking])).filter((said) => said !== 'shown');
      assert.equal(ended.length, 19);
      for (const said of ended) assert.match(String(said), /nothing was done/);
      await settle();
      assert.deepEqual([approvals.waiting, consent.open], [0, 0]);
    });
  });
});
