/** Agents of each version get from a hosted server what the SDK's own client gets without us, field by field. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { answerOf, askDirectly, askRaw } from '../../hosting/directClient.ts';
import { launchOf, TEST_SERVERS, TREE } from '../../hosting/servers.ts';
import { asAgentAsks, asAgentSees, ofAgent } from '../../hosting/throughUs.ts';
import { useMachine } from '../harness.ts';
import { hostedIn, startAll } from './support.ts';

/** The first server is asked by agents of all versions. */
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', 'modern'];

/** What a server offers may depend on what it can ask; the direct client answers nothing either. */
const ASKS_NOTHING = { roots: false, sampling: 'deny', elicitation: 'deny' };

describe('wire/hosting/reference', () => {
  const machine = useMachine();

  for (const [index, server] of TEST_SERVERS.entries())
    for (const version of index === 0 ? VERSIONS : VERSIONS.slice(-index, -index + 1 || undefined))
      it(`${version}: all of the server ${server.name}`, async () => {
        const launch = await launchOf(server, join(machine.root, 'hosted'));
        const window = await machine.open({
          trees: { ws: TREE },
          servers: { [server.name]: { ...launch, ...ASKS_NOTHING } },
        });
        const direct = await launchOf(server, join(machine.root, 'direct'));
        const expected = await askDirectly(server, { ...direct, cwd: window.path() });
        await startAll(window);
        const { slug } = hostedIn(window);
        const agent = await window.agent({ version });
        const answers = [];
        for (const exchange of expected) {
          const request = asAgentAsks(exchange, slug);
          const answer = await answerOf(askRaw(agent, request));
          answers.push({ request, ...ofAgent(answer, slug) });
        }
        assert.deepEqual(
          answers,
          expected.map((exchange) => ({
            request: asAgentAsks(exchange, slug),
            ...asAgentSees(exchange, slug, version),
          })),
        );
      });
});
