import assert from 'node:assert/strict';
import type { Context } from '../../../../src/features/context.ts';
import { send } from '../../../../src/features/hosted/request.ts';
import type { Hosted } from '../../../../src/hosting/servers/hosted.ts';
import type { UseOptions } from '../../../../src/hosting/servers/serverProcess.ts';
import { CALL, cleanUp, openWindow } from '../window.ts';

/** Nested so deep that no stack holds it. */
const deep = (): object => JSON.parse(`${'{"a":'.repeat(100_000)}"cheese"${'}'.repeat(100_000)}`);

function windowWith(pattern = 'cheese'): Context {
  const { ctx, fake } = openWindow();
  fake.person.sets('workspaceMcp.access.redact', [pattern]);
  return ctx;
}

/** A server that sends a message and then its answer. */
const serverOf = (answer: object, message?: object): Hosted =>
  ({
    name: 'Deep',
    slug: 'deep',
    async withClient(_agent: unknown, _run: unknown, { onMessage }: UseOptions) {
      if (message) onMessage?.({ method: 'notifications/message', params: { ...message } });
      return answer;
    },
  }) as unknown as Hosted;

const check = () => {};

describe('features/hosted/request: what is redacted', () => {
  afterEach(cleanUp);

  it('refuses an answer that nests too deep to redact, and says that the call may have taken effect', async () => {
    const server = serverOf({ content: [], structuredContent: deep() });
    const call = (method: string, to = server, ctx = windowWith()) =>
      send({ server: to, method, params: {}, ctx, call: CALL, readOnly: false, check });
    await assert.rejects(call('tools/call'), {
      name: 'UserError',
      message:
        'The answer of the server Deep to tools/call cannot be shown. It nests more than 1000 levels deep, so secrets in it cannot be redacted. It is unknown whether the call took effect.',
    });
    await assert.rejects(call('completion/complete'), /cannot be redacted\.$/);
    const plain = serverOf({ content: [{ type: 'text', text: 'x' }] });
    const unknown = /redact cannot be used .* whether the call took effect\.$/;
    await assert.rejects(call('tools/call', plain, windowWith('(')), unknown);
  });

  it('leaves out a log message that nests too deep, and nothing else', async () => {
    const logged: unknown[] = [];
    const call = { ...CALL, log: (_level: string, data: unknown) => void logged.push(data) };
    const answer = { content: [{ type: 'text', text: 'with cheese' }] };
    for (const data of [deep(), 'cheese']) {
      const server = serverOf(answer, { level: 'info', data });
      const request = {
        server,
        method: 'tools/call',
        params: {},
        ctx: windowWith(),
        call,
        readOnly: false,
        check,
      };
      const shown = await send(request);
      assert.deepEqual(shown, { content: [{ type: 'text', text: 'with [redacted]' }] });
    }
    assert.deepEqual(logged, ['[redacted]']);
  });
});
