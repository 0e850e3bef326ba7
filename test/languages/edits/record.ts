/** Records the small projects, and what servers tell of their symbols, for the unit tests: `node test/languages/edits/record.ts`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { GivenSymbol } from '../../../src/services/language/symbols/tree.ts';
import { ensureServer, SERVERS } from '../../host/languages/servers.ts';
import { projectRoot } from '../../host/paths.ts';
import type { Recorded } from './recorded.ts';
import { symbolsOf } from './server.ts';

const workspace = join(projectRoot, 'test/host/languages/workspace');
const LANGUAGES: Readonly<Record<string, string>> = {
  py: 'python',
  go: 'go',
  php: 'php',
  sh: 'shellscript',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  hpp: 'cpp',
};

const recorded = ({ name, kind, range, selectionRange, children = [] }: GivenSymbol): Recorded => {
  const numbers = ({ start, end }: GivenSymbol['range']) => [
    ...[start.line, start.character],
    ...[end.line, end.character],
  ];
  return [name, kind, numbers(range), numbers(selectionRange), children.map(recorded)];
};

const all: Record<string, { language: string; text: string; symbols: Recorded[] }> = {};
for (const server of SERVERS) {
  const command = await ensureServer(server);
  const root = join(workspace, server.language);
  for (const [extension, language] of Object.entries(LANGUAGES)) {
    const paths = globSync(`**/*.${extension}`, { cwd: root }).map((path) => join(root, path));
    const options = language === 'cpp' ? { fallbackFlags: ['-xc++', '-std=c++17', `-I${root}/include`] } : {};
    if (paths.length === 0) continue;
    for (const [path, symbols] of await symbolsOf(command, { language, root, paths: paths.sort(), options }))
      if (symbols.length > 0)
        all[relative(workspace, path)] = {
          language,
          text: readFileSync(path, 'utf8'),
          symbols: symbols.map(recorded),
        };
  }
}
writeFileSync(join(projectRoot, 'test/languages/edits/recorded.json'), `${JSON.stringify(all)}\n`);
