import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/access/consent/types.ts';
import { hostedTool } from '../../../../src/features/hosted/hostedTools.ts';
import { callTool } from '../../../../src/protocol/call.ts';
import { definition, cleanUp as endServers, openHosting } from '../../hosting/openHosting.ts';
import { CALL, cleanUp, openWindow } from '../window.ts';

describe('features/hosted/hostedTools', () => {
  afterEach(async () => {
    cleanUp();
    await endServers();
  });

  /** A window with a server that runs. */
  async function open() {
    const opened = await openHosting({ faulty: definition('faulty') });
    const window = openWindow({}, { hosting: opened.hosting });
    const [server] = opened.hosting.servers;
    assert.ok(server);
    await server.approve();
    await server.read();
    const call = (name: string, args = {}) =>
      callTool(hostedTool(name, window.ctx), { name, arguments: args }, window, CALL);
    return { ...opened, ...window, server, call };
  }

  for (const answer of [
    { allow: 'workspace', whole: true },
    { allow: 'session', whole: true },
    { deny: '', session: true },
  ] satisfies Answer[])
    it(`asks again after the user has taken back the approval of the server: ${JSON.stringify(answer)}`, async () => {
      const { consent, hosting, server, call } = await open();
      consent.answers.push(answer);
      await call('faulty__pid');
      await call('faulty__pid');
      assert.equal(consent.questions.length, 1);
      await hosting.revoke(server);
      await server.approve();
      consent.answers.push({ allow: 'once' });
      await call('faulty__pid');
      assert.equal(consent.questions.length, 2);
    });
});
