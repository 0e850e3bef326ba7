import type { Source } from '../../hosting/config/sources.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import { bad, type Finding, ok, type Section, warn } from '../../shim/doctor/report.ts';
import { hasServers } from '../hosting/hasServers.ts';
import type { ServersLater } from '../hosting/serversLater.ts';
import { problemText } from '../hosting/stateText.ts';

/** Each hosted server; no section if there are none. In English, like the whole report. */
export async function hostedServers(later: Pick<ServersLater, 'get' | 'isLoaded'>): Promise<Section[]> {
  if (!later.isLoaded && !hasServers()) return [];
  const { servers, found, off } = (await later.get()).hosting;
  const findings = [
    ...(off === undefined ? [] : [warn(`No servers are hosted. ${off}`)]),
    ...servers.map(findingOf),
    ...found.map((one): Finding => {
      const problem = problemText(one) ?? one.forbidden;
      const name = `${one.name || 'servers'}, from ${placeOf(one.source)}`;
      return problem === undefined
        ? ok(`${name}: found, not hosted. Host it in the view of Workspace MCP if agents need it.`)
        : warn(`${name}: cannot be used: ${problem}`);
    }),
  ];
  return findings.length > 0 ? [{ title: 'Hosted MCP servers', findings }] : [];
}

function findingOf(server: Hosted): Finding {
  const { name, state, problem, tools } = server;
  const start = `${name}, from ${placeOf(server.server.source)}:`;
  switch (state) {
    case 'new':
    case 'changed':
      return warn(`${start} waits for your approval. Approve it in the view of Workspace MCP.`);
    case 'restricted':
      return warn(`${start} not started, because the workspace is not trusted.`);
    case 'forbidden':
      return warn(`${start} ${problem}`);
    case 'failed':
      // Its stderr may hold secrets.
      return bad(
        `${start} failed: ${problem?.replace(/ Its last output: .*/s, ' Its log has its last output.')}`,
      );
    default: {
      const held = tools.filter((tool) => tool.held).length;
      const text = `${start} ${state}; tools: ${tools.length}`;
      return held > 0 ? warn(`${text}; held back, because they changed: ${held}`) : ok(text);
    }
  }
}

const placeOf = (source: Source): string =>
  source.kind === 'settings' ? 'the setting workspaceMcp.servers' : source.file;
