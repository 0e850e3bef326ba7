import assert from 'node:assert/strict';
import { cleanUp, definition, type OpenedHosting, openHosting } from './openHosting.ts';

describe('hosting/servers/hosting', () => {
  afterEach(cleanUp);

  const needy = { ...definition('changing'), env: { KEY: `\${input:key}` } };
  const sourcesOf = ({ hosting }: OpenedHosting) =>
    [hosting.servers, hosting.found].map((list) =>
      list.map((one) => ('runs' in one ? one.source : one.source.kind)),
    );

  it('gives a server of one source nothing that the user gave one of another', async () => {
    const window = await openHosting({ db: needy });
    const { hosting } = window;
    const [own] = hosting.servers;
    await own?.approve();
    await own?.enter('key', 'of my own');
    await own?.restart();
    await window.sets({});
    await window.writes('.vscode/mcp.json', { servers: { db: needy } });
    assert.deepEqual(sourcesOf(window), [[], ['folder']]);
    const [found] = hosting.found;
    await hosting.host(found as never);
    const [planted] = hosting.servers;
    assert.ok(planted && planted.catalogue === undefined);
    await assert.rejects(planted.restart(), /not entered yet: key/);
  });

  it('approves a definition for the syntax of its file only', async () => {
    const window = await openHosting();
    await window.writes('.vscode/mcp.json', { servers: { db: definition('changing') } });
    await window.hosting.host(window.hosting.found[0] as never);
    await window.writes('.mcp.json', { mcpServers: { db: definition('changing') } });
    assert.deepEqual(sourcesOf(window), [['.vscode/mcp.json'], ['folder']]);
  });

  it('prefers the setting, then the profile, then files of the folder', async () => {
    const window = await openHosting();
    await window.writes('.mcp.json', { mcpServers: { db: definition('changing') } });
    await window.writes('../User/mcp.json', { servers: { db: definition('changing') } });
    for (const found of [...window.hosting.found]) await window.hosting.host(found as never);
    assert.deepEqual(sourcesOf(window), [['user'], ['folder']]);
    await window.sets({ db: definition('changing') });
    assert.deepEqual(sourcesOf(window), [['settings'], ['user', 'folder']]);
  });
});
