import assert from 'node:assert/strict';
import { features } from '../../../src/features/index.ts';
import { catalogue } from '../../../src/protocol/catalogue.ts';
import { Connection, MODERN } from './agent.ts';

describe('protocol/catalogue', () => {
  const made = catalogue(features, '0.0.0');
  let agent: Connection;
  beforeEach(() => {
    agent = new Connection({ features });
  });
  afterEach(() => agent.close());

  for (const version of made.versions.legacy) {
    it(`says and lists what a live server does: ${version}`, async () => {
      const { result } = await agent.initialize(version);
      const { serverInfo, instructions, capabilities } = made;
      assert.deepEqual(result, { protocolVersion: version, serverInfo, instructions, capabilities });
      assert.deepEqual((await agent.request('tools/list')).result.tools, made.tools);
      const { resourceTemplates } = (await agent.request('resources/templates/list')).result;
      assert.deepEqual(resourceTemplates, made.resourceTemplates);
    });
  }

  for (const version of made.versions.modern) {
    it(`says and lists what a live server does: ${version}`, async () => {
      const _meta = { ...MODERN, 'io.modelcontextprotocol/protocolVersion': version };
      const ask = async (method: string) => (await agent.request(method, { _meta })).result;
      const { instructions, capabilities, versions } = made;
      const supportedVersions = versions.modern;
      assert.partialDeepStrictEqual(await ask('server/discover'), {
        instructions,
        capabilities,
        supportedVersions,
      });
      assert.deepEqual((await ask('tools/list')).tools, made.tools);
      assert.deepEqual((await ask('resources/templates/list')).resourceTemplates, made.resourceTemplates);
    });
  }

  it('is plain JSON, of one page', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(made)), made);
    assert.ok(made.tools.length < 100 && made.resourceTemplates.length < 100);
  });
});
