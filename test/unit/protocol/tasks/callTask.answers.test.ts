import assert from 'node:assert/strict';
import { CallTask } from '../../../../src/protocol/tasks/callTask.ts';

const FORM = {
  method: 'elicitation/create' as const,
  params: {
    mode: 'form' as const,
    message: 'Go on?',
    requestedSchema: { type: 'object' as const, properties: {} },
  },
};
const ACCEPTED = { action: 'accept', content: {} };

describe('protocol/tasks/callTask answers', () => {
  let isAway: boolean;
  let task: CallTask;
  beforeEach(() => {
    isAway = true;
    task = new CallTask(new AbortController(), () => isAway);
  });
  /** A form for the user who is elsewhere, and its answer. */
  const asks = () => task.ask({ form: FORM }, new AbortController().signal, true);

  it('what the client was told can be answered, also once the user is back', async () => {
    const answers = asks();
    const [key = ''] = Object.keys(task.look().inputRequests ?? {});
    isAway = false;
    assert.equal(task.look().status, 'working');
    task.answer({ [key]: ACCEPTED });
    assert.deepEqual(await answers, { form: ACCEPTED });
  });

  it('what it was not told cannot, by a guess of its key', () => {
    isAway = false;
    void asks();
    task.look();
    isAway = true;
    task.answer({ '1.form': ACCEPTED });
    assert.deepEqual(Object.keys(task.look().inputRequests ?? {}), ['1.form']);
  });
});
