/** Our client gets from a server what the SDK's own client gets, field by field. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { connectStdio } from '../../../src/hosting/connection/connectStdio.ts';
import { answerOf, askDirectly } from '../../hosting/directClient.ts';
import { launchOf, TEST_SERVERS, TREE } from '../../hosting/servers.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';
import { plant } from '../testWindow.ts';

describe('wire/hosting/client', () => {
  let root: string;
  beforeEach(() => {
    root = makeTemporary();
  });
  afterEach(() => removeTemporary(root));

  for (const server of TEST_SERVERS)
    it(`gets all that the server ${server.name} sends`, async () => {
      const cwd = plant(join(root, 'ws'), TREE);
      const expected = await askDirectly(server, { ...(await launchOf(server, join(root, 'direct'))), cwd });
      const launch = await launchOf(server, join(root, 'hosted'));
      const { client } = await connectStdio(
        { ...launch, cwd },
        { clientInfo: { name: 'test', version: '1' } },
      );
      try {
        assert.equal(client.protocolVersion, server.protocolVersion);
        for (const [index, request] of server.requests.entries()) {
          const answer = await answerOf(client.request(request.method, request.params));
          assert.deepEqual({ ...request, ...answer }, expected[index]);
        }
      } finally {
        await client.close();
      }
    });
});
