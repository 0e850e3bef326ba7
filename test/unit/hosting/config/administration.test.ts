// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables
import assert from 'node:assert/strict';
import { forbidden, hostingOff } from '../../../../src/hosting/config/administration.ts';
import type { SettingScopes } from '../../../fakes/configuration.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';

const code = (settings: SettingScopes) => FakeVscode.create({ folders: [], ...settings }).api;

describe('hosting/config/administration', () => {
  it('hosts nothing if a setting switches it off', () => {
    const off = (settings: SettingScopes) => hostingOff(code(settings));
    const shown = off({ user: { 'workspaceMcp.hosting.enabled': true, 'chat.mcp.access': 'all' } });
    assert.equal(shown, undefined);
    assert.match(`${off({ user: { 'chat.mcp.access': 'none' } })}`, /chat\.mcp\.access/);
    for (const value of [false, 'false', null])
      assert.match(`${off({ user: { 'workspaceMcp.hosting.enabled': value } })}`, /hosting\.enabled/);
    assert.ok(off({ workspace: { 'workspaceMcp.hosting.enabled': false } }));
  });

  it("honours VS Code's lists of allowed and denied servers", () => {
    const process = { command: 'npx', args: ['-y', 'db'] };
    const reason = (list: string, entry: object, launch: Parameters<typeof forbidden>[1] = process) =>
      forbidden('db', launch, code({ user: { [`chat.mcp.${list}`]: [entry] } }));
    const url = (text: string) => ({ url: text });
    const cases: [entry: object, launch: Parameters<typeof forbidden>[1], isNamed: boolean][] = [
      [{ serverName: 'db' }, process, true],
      [{ serverCommand: ['npx', '-y', 'db'] }, process, true],
      [{ serverUrl: 'https://A.org/mcp' }, url('https://a.org:443/mcp'), true],
      [{ serverUrl: 'https://*.a.org:*/*' }, url(`https://x.a.org:8443/a?b`), true],
      [{ serverCommand: ['npx', '-y'] }, process, false],
      [{ serverUrl: 'https://*.a.org/*' }, url('https://b.org/x.a.org/'), false],
    ];
    for (const [entry, launch, isNamed] of cases) {
      const [refusing, other] = isNamed
        ? ['deniedServers', 'allowedServers']
        : ['allowedServers', 'deniedServers'];
      assert.match(`${reason(`${refusing}`, entry, launch)}`, new RegExp(`${refusing}`));
      assert.equal(reason(`${other}`, entry, launch), undefined);
    }
    // Is asked again when the variable has its value.
    assert.equal(reason('allowedServers', { serverUrl: 'https://a.org/*' }, url('${env:URL}')), undefined);
  });
});
