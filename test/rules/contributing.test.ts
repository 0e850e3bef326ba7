import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read, root } from './sources.ts';

/** A fenced block of a list item, without its indentation. */
const BLOCK = /^ {3}(`{3,})(\w+)\n([\s\S]*?)^ {3}\1$/gm;

describe('rules: CONTRIBUTING.md', () => {
  const copy = mkdtempSync(join(tmpdir(), 'workspace-mcp-'));
  const at = (path: string) => join(copy, path);
  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8', stdio: 'pipe' });

  before(() => {
    const files = 'README.md package.json .mocharc.json package.nls.json tsconfig.json';
    for (const path of `src test scripts docs l10n ${files}`.split(' '))
      cpSync(join(root, path), at(path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), at('node_modules'), 'junction');
  });

  after(() => rmSync(copy, { recursive: true, force: true }));

  it('adds a tool by its steps', () => {
    const page = read('CONTRIBUTING.md');
    const blocks = [...page.matchAll(BLOCK)].map(([, , , text = '']) => text.replaceAll(/^ {3}/gm, ''));
    const [tool = '', test = '', section = ''] = blocks;
    const [, source = ''] = /`(src\/features\/\w+\/countLines\.ts)`/.exec(page) ?? [];
    const [, testFile = ''] = /`(test\/unit\/.*\/countLines\.test\.ts)`/.exec(page) ?? [];
    writeFileSync(at(source), tool);
    writeFileSync(at(testFile), test);
    const index = at('src/features/files/index.ts');
    const listed = readFileSync(index, 'utf8').replace(/tools: \[/, '$&countLines, ');
    writeFileSync(index, `import { countLines } from './countLines.ts';\n${listed}`);
    appendFileSync(at('docs/tools.md'), `\n${section}`);

    const files = [source, testFile, 'src/features/files/index.ts'];
    const options = { extends: './tsconfig.json', include: ['src/**/*.d.ts'], files };
    writeFileSync(at('tsconfig.tool.json'), JSON.stringify(options));
    node(join(root, 'node_modules/typescript/bin/tsc'), '--incremental', 'false', '-p', 'tsconfig.tool.json');
    assert.match(node(join(root, 'node_modules/mocha/bin/mocha.js'), testFile), /1 passing/);
    node('scripts/readme.ts');
    assert.match(readFileSync(at('README.md'), 'utf8'), /`count_lines`.*Counts the lines of a file/);
    assert.match(readFileSync(at('docs/tools.md'), 'utf8'), /<!-- count_lines -->\nCounts the lines/);
  });
});
