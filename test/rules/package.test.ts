import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '@vscode/vsce';
import { packedFiles } from '../../scripts/package/packed.ts';
import { packagedReadme, standaloneReadme } from '../../scripts/package/readme.ts';
import { releaseNotes } from '../../scripts/releaseNotes.ts';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import { read, root, tracked } from './sources.ts';

const manifest = JSON.parse(read('package.json'));
/** What may be in the package; `npm run build` has made its part of it. */
const BELONGS =
  /^(package(\.nls(\.[\w-]+)?)?\.json|README\.md|CHANGELOG\.md|LICENSE|media\/.*|skills\/[\w-]+\/SKILL\.md|l10n\/.*\.json|dist\/([\w-]+\.cjs|(shim|relay|hook|lspServer|colours)\.js|package\.json|THIRD_PARTY_NOTICES\.txt)|node_modules\/workspace-mcp-tsserver\/(index\.js|package\.json))$/;

describe('rules: the package', () => {
  const packed = packedFiles();

  it('has only what is needed when the extension runs', () =>
    assert.deepEqual(
      packed.filter((path) => !BELONGS.test(path) || path === 'media/icon.svg'),
      [],
    ));

  it('is what vsce lists in the project, as .vscodeignore says', async () => {
    const copy = makeTemporary(); // of the project without what tests have installed there
    for (const path of [...tracked('*'), ...packed]) cpSync(join(root, path), join(copy, path));
    const listed = await listFiles({ cwd: copy }).finally(() => removeTemporary(copy));
    assert.deepEqual(listed.sort(), packed);
  });

  it('has all that package.json names', () => {
    const named = JSON.stringify({ ...manifest, scripts: {}, devDependencies: {} });
    const paths = [...named.matchAll(/"(?:\.\/)?((?:dist|media|l10n|skills)\/[\w./-]+\.\w+)"/g)].map(
      ([, path]) => path ?? '',
    );
    assert.ok(
      ['media/icon.png', 'dist/extension.cjs', 'skills/vscode-run-and-debug/SKILL.md'].every((one) =>
        paths.includes(one),
      ),
    );
    const wrong = paths.filter((path) => !packed.includes(path));
    assert.deepEqual(wrong, []);
  });

  it('has every bundle', () =>
    assert.deepEqual(
      Object.keys(JSON.parse(read('dist/meta.json')).outputs).filter((path) => !packed.includes(path)),
      [],
    ));

  it("asks for nothing that VS Code reports as an extension's error", () => {
    for (const path of packed.filter((one) => one.endsWith('.cjs')))
      assert.doesNotMatch(read(path), /\bnavigator\b/, path);
  });

  it('has code in ASCII only, which V8 keeps in one byte a character', () => {
    for (const path of packed.filter((one) => /^dist\/.*js$/.test(one)))
      assert.doesNotMatch(read(path), /[^\0-\x7f]/, path);
  });

  it('has all texts of package.json in every language', () => {
    const files = packed.filter((path) => path.startsWith('package.nls'));
    const keys = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '').sort();
    for (const file of files)
      assert.deepEqual(Object.keys(JSON.parse(read(file))).sort(), [...new Set(keys)], file);
    assert.ok(files.length > 0 || keys.length === 0);
  });

  it('has a README for who installs it', () => {
    const shown = packagedReadme('# A\n\n## Development\n\nb\n\n## License\n\nc\n');
    assert.equal(shown, '# A\n\n## License\n\nc\n');
    assert.equal(packagedReadme('# A\n\n## Development\n\nb\n'), '# A\n\n');
    const readme = packagedReadme(read('README.md'));
    for (const part of ['![An agent', '## Safety\n', '## License\n']) assert.ok(readme.includes(part));
    assert.doesNotMatch(readme, /npm start|## Development/);
  });

  it('has a README without broken pictures where no address of the repository is known', () => {
    const readme =
      '# A\n\n![Window](docs/images/a.png)\n\nSee [figures](docs/a.md), [MCP](https://b.org/) and [below](#a).\n';
    assert.equal(standaloneReadme(readme), '# A\n\nSee figures, [MCP](https://b.org/) and [below](#a).\n');
    assert.doesNotMatch(standaloneReadme(read('README.md')), /\]\((?!https:|#)/);
  });
});

describe('rules: a release', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- b\n\n## 1.2.3 - a day\n\n- a\n\n## 1.2.2\n\n- old\n';

  it('has the notes of its version', () => assert.equal(releaseNotes('v1.2.3', '1.2.3', changelog), '- a'));

  it('is refused when the tag is of another version', () =>
    assert.throws(() => releaseNotes('v1.2.4', '1.2.3', changelog), /v1\.2\.4.*1\.2\.3/));

  it('is refused when the changelog has nothing about it', () =>
    assert.throws(() => releaseNotes('v1.3.0', '1.3.0', changelog), /no section "## 1\.3\.0"/));
});
