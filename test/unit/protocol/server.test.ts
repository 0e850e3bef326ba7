import assert from 'node:assert/strict';
import { features } from '../../../src/features/index.ts';
import { catalogue } from '../../../src/protocol/server.ts';
import { Connection, MODERN } from './agent.ts';

describe('protocol/server: the catalogue', () => {
  const made = catalogue(features, '0.0.0');
  let agent: Connection;
  beforeEach(() => {
    agent = new Connection({ features, user: { 'workspaceMcp.tools.profile': 'all' } });
  });
  afterEach(() => agent.close());

  /** This window has no notebooks, and nothing to debug with. */
  const useless = features.tools.filter(({ needs }) => needs === 'notebooks' || needs === 'debuggers');
  const useful = made.tools.filter(({ name }) => !useless.some((tool) => tool.name === name));
  const { serverInfo, instructions, capabilities, versions } = made;
  for (const version of [...versions.legacy, ...versions.modern])
    it(`says and lists what a live server does: ${version}`, async () => {
      const isModern = versions.modern.some((one) => one === version);
      const _meta = { ...MODERN, 'io.modelcontextprotocol/protocolVersion': version };
      const ask = async (method: string) =>
        (await agent.request(method, isModern ? { _meta } : undefined)).result;
      if (isModern)
        assert.partialDeepStrictEqual(await ask('server/discover'), {
          instructions,
          capabilities,
          supportedVersions: versions.modern,
        });
      else
        assert.deepEqual((await agent.initialize(version)).result, {
          protocolVersion: version,
          serverInfo,
          instructions,
          capabilities,
        });
      assert.deepEqual((await ask('tools/list')).tools, useful);
      assert.deepEqual((await ask('resources/templates/list')).resourceTemplates, made.resourceTemplates);
    });

  it('is plain JSON, of one page', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(made)), made);
    assert.ok(made.tools.length < 100 && made.resourceTemplates.length < 100);
  });
});
