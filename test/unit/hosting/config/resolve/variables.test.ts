// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expand, type Syntax, type Values } from '../../../../../src/hosting/config/resolve/variables.ts';
import { english } from '../../english.ts';

const values: Values = {
  folder: { name: 'web', path: '/ws/web' },
  folders: [
    { name: 'web', path: '/ws/web' },
    { name: 'api', path: '/ws/api' },
  ],
  home: '/home/me',
  env: { TOKEN: 't0k', EMPTY: '', workspaceFolder: '/no' },
  platform: 'linux',
  l10n: english,
  inputs: new Map([['key', '${userHome}']]),
};

const filled = (text: string, syntax: Syntax = 'mcp.json', more: Partial<Values> = {}) =>
  expand(text, syntax, { ...values, ...more });

describe('hosting/config/resolve/variables', () => {
  it('have the values of mcp.json', () => {
    assert.equal(
      filled('${workspaceFolder}|${workspaceFolder:api}|${userHome}|${env:TOKEN}|${env:NO}|${input:key}'),
      '/ws/web|/ws/api|/home/me|t0k||${userHome}',
    );
    assert.equal(
      filled('${workspaceFolderBasename}|${workspaceFolderBasename:api}|${cwd}|a${pathSeparator}b${/}c'),
      'web|api|/ws/web|a/b/c',
    );
    const folder = { name: 'web', path: 'C:\\ws\\web' };
    const shown = filled('${workspaceFolderBasename}${/}', 'mcp.json', { folder, platform: 'win32' });
    assert.equal(shown, 'web\\');
    assert.equal(filled('${env:token}', 'mcp.json', { platform: 'win32' }), 't0k');
  });

  it('have the values of .mcp.json', () => {
    const said = filled('${TOKEN}|${NO:-a:-b}|${EMPTY:-c}|${TOKEN:-d}|${userHome:-e}', '.mcp.json');
    assert.equal(said, 't0k|a:-b||t0k|e');
    assert.throws(() => filled('a${NO}', '.mcp.json'), /the variable NO is not set/);
    assert.throws(() => filled('${input:key}', '.mcp.json'), /\$\{input:key\} is not supported/);
  });

  it('that are unknown stay for a shell, unless they are meant for VS Code', () => {
    assert.equal(filled('echo $HOME ${HOME} ${A:-b} ${}'), 'echo $HOME ${HOME} ${A:-b} ${}');
    for (const text of ['${command:a.b}', '${config:a}', '${execPath}', '${file}', '${fileDirname}'])
      assert.throws(() => filled(text), /is not supported/);
    assert.throws(() => filled('${workspaceFolder:x}'), /there is no workspace folder x/);
    const refused = () => filled('${workspaceFolder}', 'mcp.json', { folder: undefined });
    assert.throws(refused, /needs an open folder/);
  });

  it('are replaced once, whatever is in their values', () => {
    const special = fc.array(fc.constantFrom('$', '{', '}', '$&', '${env:B}', '${B}', 'x'), { maxLength: 6 });
    const text = special.map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (value, around) => {
        const plain = around.replaceAll(/[${}]/g, '');
        const env = { A: value, B: 'wrong' };
        assert.equal(filled(`${plain}\${env:A}${plain}`, 'mcp.json', { env }), plain + value + plain);
        assert.equal(filled(`${plain}\${A}${plain}`, '.mcp.json', { env }), plain + value + plain);
        assert.equal(filled(plain), plain);
      }),
    );
  });
});
