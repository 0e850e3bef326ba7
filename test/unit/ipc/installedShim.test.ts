import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installShim, stableShimPath } from '../../../src/ipc/installedShim.ts';
import { useDirectory } from '../../temporary.ts';

const shim = (version: string, code = ''): string =>
  `#!/usr/bin/env node\n// workspace-mcp shim ${version}\n${code}`;

describe('ipc/installedShim', () => {
  const home = useDirectory();

  /** What lies in the state directory after a shim was installed over another. */
  function installed(bundled: string, before?: string): string {
    mkdirSync(join(home.path, 'dist'), { recursive: true });
    const files = {
      'package.json': '{ "type": "commonjs" }',
      'hook.js': '// hook',
      'lspServer.js': '// lsp',
      'relay.js': `// relay of ${bundled}`,
      'shim.js': bundled,
    };
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(home.path, 'dist', name), content);
    if (before !== undefined) writeFileSync(stableShimPath(home.path), before);
    installShim(home.path, join(home.path, 'dist', 'shim.js'));
    return readFileSync(stableShimPath(home.path), 'utf8');
  }

  it('copies the shim, to be run by the user alone, and leaves no draft', function () {
    assert.equal(installed(shim('0.1.0')), shim('0.1.0'));
    const files = ['code', 'dist', 'hook.js', 'lspServer.js', 'package.json', 'relay.js', 'shim.js'];
    assert.deepEqual(readdirSync(home.path), files);
    if (process.platform === 'win32') this.skip();
    assert.equal(statSync(stableShimPath(home.path)).mode & 0o777, 0o700);
  });

  it('replaces an older shim, a different one of the same version, and a file that is not a shim', () => {
    assert.equal(installed(shim('0.10.0'), shim('0.9.9')), shim('0.10.0'));
    assert.equal(installed(shim('0.1.0', 'new'), shim('0.1.0', 'old')), shim('0.1.0', 'new'));
    assert.equal(installed(shim('0.1.0'), 'something else'), shim('0.1.0'));
  });

  it('does not replace a newer one', () => {
    assert.equal(installed(shim('0.9.9'), shim('0.10.0')), shim('0.10.0'));
    assert.ok(!readdirSync(home.path).includes('relay.js'));
  });

  it('does not write one that is the same, but the relay where it is missing', () => {
    installed(shim('0.1.0'));
    const before = statSync(stableShimPath(home.path)).ino;
    unlinkSync(join(home.path, 'relay.js'));
    installed(shim('0.1.0'));
    assert.equal(statSync(stableShimPath(home.path)).ino, before);
    assert.match(readFileSync(join(home.path, 'relay.js'), 'utf8'), /^\/\/ relay of/);
  });
});
