import assert from 'node:assert/strict';
import { cleanUp, definition, openHosting } from './openHosting.ts';

describe('hosting/environment: what a server does not get', () => {
  const variables = ['DOCKER_HOST', 'GH_TOKEN'];
  beforeEach(() => {
    for (const name of variables) process.env[name] = 'a secret';
  });
  afterEach(async () => {
    for (const name of variables) delete process.env[name];
    await cleanUp();
  });

  it('is in its log, once, with the way to pass it on', async () => {
    const plain = definition('faulty');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of definitions
    const passes = { ...plain, env: { ...plain.env, DOCKER_HOST: '${env:DOCKER_HOST}' } };
    const { hosting } = await openHosting({ plain, passes });
    for (const server of hosting.servers) {
      await server.approve();
      for (let starts = 0; starts < 2; starts++) await server.restart();
    }
    const [all, one] = hosting.servers.map(({ lines }) =>
      lines.filter((line) => line.startsWith('not passed')),
    );
    assert.equal(all?.length, 1);
    assert.match(`${all}`, /DOCKER_HOST, .*GH_TOKEN.*"env" of its definition: "\w+": "\$\{env:\w+\}"$/);
    assert.match(`${one}`, /GH_TOKEN/);
    assert.ok(!/DOCKER_HOST|a secret/.test(`${one}`), `${one}`);
  });
});
