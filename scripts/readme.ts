/**
 * Writes what README.md has between `<!-- name -->` and `<!-- /name -->` from what it describes: the features, package.json, the
 * configurations of agents, and the tables of protected files. A test checks that it is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CLOSED, GUARDED } from '../src/access/protectedPaths.ts';
import { features } from '../src/features/index.ts';
import { agents } from './readme/agents.ts';

const at = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

interface Setting {
  type: string;
  default: unknown;
  markdownDescription: string;
}

interface Manifest {
  contributes: {
    commands: { category: string; title: string; command: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
    configuration: { properties: Record<string, Setting> };
  };
}

/** The text with all its generated parts made anew. @throws Error where it has no place for one */
export function withTables(readme: string, manifest: Manifest): string {
  const { commands, menus, configuration } = manifest.contributes;
  const isHidden = (command: string) => menus.commandPalette.some((it) => it.command === command);
  const parts = {
    agents: agents(),
    tools: table(
      ['Tool', 'What it does'],
      [...features.tools]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, description }) => [`\`${name}\``, description]),
    ),
    resources: table(
      ['Resource', 'What it is'],
      features.resources
        .flatMap(({ fixed = [], templates }) => [
          ...fixed.map(({ uri, description }) => [uri, description]),
          ...templates.map(({ uriTemplate, description = '' }) => [uriTemplate, description]),
        ])
        .map(([uri, description = '']) => [`\`${uri}\``, description]),
    ),
    commands: table(
      ['Command', 'Id'],
      commands
        .filter(({ command }) => !isHidden(command))
        .map(({ category, title, command }) => [`${category}: ${title}`, `\`${command}\``]),
    ),
    settings: table(
      ['Setting', 'Default', 'What it does'],
      Object.entries(configuration.properties).map(([name, setting]) => [
        `\`${name}\``,
        `\`${JSON.stringify(setting.default)}\``,
        setting.markdownDescription,
      ]),
    ),
    closed: globTable(CLOSED),
    guarded: globTable(GUARDED),
  };
  return Object.entries(parts).reduce((text, [name, lines]) => replaced(text, name, lines), readme);
}

const globTable = (rows: Record<string, string[]>): string =>
  table(
    ['What', 'Globs'],
    Object.entries(rows).map(([reason, globs]) => [reason, globs.map((glob) => `\`${glob}\``).join(' ')]),
  );

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function replaced(text: string, name: string, lines: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`README.md has no ${open} … ${close}.`);
  return `${text.slice(0, start + open.length)}\n${lines}\n${text.slice(end)}`;
}

/** package.json in English: its texts stand in package.nls.json. */
export function readManifest(): Manifest {
  const texts: Record<string, string> = JSON.parse(readFileSync(at('package.nls.json'), 'utf8'));
  return JSON.parse(readFileSync(at('package.json'), 'utf8'), (_, value) =>
    typeof value === 'string' ? value.replace(/^%(.+)%$/, (all, key: string) => texts[key] ?? all) : value,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(at('README.md'), withTables(readFileSync(at('README.md'), 'utf8'), readManifest()));
}
