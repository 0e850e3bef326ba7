import assert from 'node:assert/strict';
import { Approvals } from '../../../../src/access/consent/approvals.ts';
import { type Grant, samplingGrant } from '../../../../src/core/grants.ts';
import type { Page } from '../../../../src/ui/approvals/page.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeConsent } from '../../../fakes/consent.ts';
import { silent } from '../../log.ts';

const { hostedQuestions } = await import('../../../../src/ui/hosting/hostedQuestions.ts');
const { env } = await import('vscode');

const MINUTE = 60_000;
const settle = () => new Promise(setImmediate);

describe('ui/hosting/hostedQuestions', () => {
  let shown: { page: Page; click(button?: number): void; close(): void; ended: AbortSignal }[];
  let opened: string[];
  let over: AbortController;
  let consent: FakeConsent;
  let approvals: Approvals;

  beforeEach(() => {
    [shown, opened, over, consent] = [[], [], new AbortController(), new FakeConsent()];
    Object.assign(env, { openExternal: async (url: string) => opened.push(url) > 0 });
    const { ask, inquire, propose, store } = consent;
    approvals = new Approvals({ ask, inquire, propose, store, setting: () => 'ask', log: silent });
  });

  function setUp(agents: { id: number; agent: string }[] = [{ id: 1, agent: 'Claude' }]) {
    const granted = new Set<Grant>();
    const questions = hostedQuestions({
      store: consent.store,
      granted,
      approvals: async () => approvals,
      prompt: {
        pose: (_, page, { take, closed }, ended) =>
          new Promise((resolve) => {
            const give = <T>(answer: T | undefined) => answer !== undefined && resolve(answer as never);
            const click = (button?: number) =>
              give(take({ entries: [], ...(button !== undefined && { button }) }, () => {}));
            shown.push({ page, click, close: () => give(closed), ended });
          }),
      },
    });
    const asking = { server: 'db', key: 'k', callers: { agents, ended: over.signal } };
    const form = (signal = never) => questions.form(asking, { message: 'm', fields: [] }, signal);
    return { questions, asking, form, granted };
  }
  const never = new AbortController().signal;
  const db = { key: 'k', name: 'db' };
  const url = new URL('https://example.org/sign-in?id=1');

  it('wait in the queue of the other questions', async () => {
    const { form } = setUp();
    const agent = { asker: { agent: 'a' }, granted: new Set<never>(), denied: new Set<never>() };
    const call = { signal: never, progress: () => {} };
    const first = approvals.approve({ kind: 'run', tool: 'run_task', subject: 'x' }, agent, call);
    const open = form();
    await settle();
    assert.deepEqual([shown.length, approvals.waiting], [0, 2]);
    consent.answer({ allow: 'once' });
    await first;
    await settle();
    shown[0]?.click(0);
    assert.deepEqual(await open, { action: 'accept', content: {} });
    assert.equal(approvals.waiting, 0);
  });

  it('open an address only if the user clicks, which the page shows whole', async () => {
    const { questions, asking } = setUp();
    const answers = [0, 1, undefined].map(async (button) => {
      const answer = questions.page(asking, { message: 'm', url }, never);
      return { button, answer };
    });
    for (const one of answers) {
      const { button, answer } = await one;
      await settle();
      const page = shown.at(-1);
      assert.equal(page?.page.detail[0], url.href);
      if (button === undefined) page?.close();
      else page?.click(button);
      const action = ['accept', 'decline'][button ?? 2] ?? 'cancel';
      assert.deepEqual(await answer, { action });
    }
    assert.deepEqual(opened, [url.href]);
  });

  it('end with the request of the server, or the calls that it works on', async () => {
    const { form } = setUp();
    const request = new AbortController();
    const cancelled = form(request.signal);
    const forgotten = form();
    await settle();
    request.abort();
    await assert.rejects(cancelled, { name: 'CancelledError' });
    assert.equal(shown[0]?.ended.aborted, true);
    over.abort();
    assert.deepEqual(await forgotten, { action: 'cancel' });
  });

  describe('without an answer', () => {
    const clock = holdClock();

    it('end after half an hour for a form, and no later than the only agent waits', async () => {
      const patient = setUp().form();
      await clock.pass(29 * MINUTE);
      assert.equal(shown[0]?.ended.aborted, false);
      await clock.pass(2 * MINUTE);
      assert.deepEqual(await patient, { action: 'cancel' });
      const hasty = setUp([{ id: 1, agent: 'codex' }]).form();
      await clock.pass(5 * MINUTE);
      assert.deepEqual(await hasty, { action: 'cancel' });
    });

    it('deny a language model', async () => {
      const { questions, asking } = setUp();
      const request = { texts: ['user:\n    Hi'], model: 'M', maxTokens: 1 };
      const answer = questions.sampling(asking, request, never);
      await clock.pass(5 * MINUTE);
      assert.equal(await answer, false);
    });
  });

  it('allow a language model once, for the server, or not; then nothing more is asked until it is revoked', async () => {
    const { questions, asking, granted } = setUp();
    const ask = async (answer: (one: (typeof shown)[number] | undefined) => void) => {
      const allowed = questions.sampling(asking, { texts: ['a', 'b'], model: 'M', maxTokens: 1 }, never);
      await settle();
      answer(shown.at(-1));
      return allowed;
    };
    assert.equal(await ask((one) => one?.click(3)), false);
    assert.equal(await ask((one) => one?.close()), false);
    assert.equal(await ask((one) => one?.click(0)), true);
    assert.deepEqual(shown.at(-1)?.page.detail, ['a', 'b']);
    assert.equal(await ask((one) => one?.click(1)), true);
    assert.equal(await ask(() => {}), true);
    assert.deepEqual([shown.length, [...granted], consent.always], [4, [samplingGrant(db)], []]);
    granted.clear();
    assert.equal(await ask((one) => one?.click(2)), true);
    assert.equal(await ask(() => {}), true);
    assert.deepEqual([shown.length, [...granted], consent.always], [5, [], [samplingGrant(db)]]);
    await consent.store.set([samplingGrant({ ...db, key: 'of an earlier approval' })]);
    assert.equal(await ask((one) => one?.click(3)), false);
  });
});
