/**
 * `npm run readme`: writes what README.md and docs have between `<!-- name -->` and `<!-- /name -->` from what it describes: the
 * features, package.json, the configurations of agents, and the tables of protected files. A test checks that it is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CLOSED, GUARDED } from '../src/access/pathTables.ts';
import { coreEntries } from '../src/core/coreEntry.ts';
import { features } from '../src/features/index.ts';
import { catalogue } from '../src/protocol/server.ts';
import { METHODS } from '../src/services/language/lsp/methods.ts';
import { COMMANDS } from '../src/services/language/providerCommands.ts';
import { agentFiles, agents } from './readme/agents.ts';
import { firstSentence, reference } from './readme/tools.ts';

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

/** The pages with their generated parts made anew, by file name. @throws Error if a page has no place for one */
export function pages(read: (name: string) => string, manifest: Manifest): Map<string, string> {
  const { commands, menus, configuration } = manifest.contributes;
  const isHidden = (command: string) => menus.commandPalette.some((it) => it.command === command);
  const tools = [...features.tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts: Record<string, Record<string, string>> = {
    'README.md': {
      tools: table(
        ['Tool', 'What it does'],
        tools.map(({ name, description }) => [
          `[\`${name}\`](docs/tools.md#${name})`,
          firstSentence(description),
        ]),
      ),
    },
    'docs/agents.md': {
      agents: agents(),
      files: table(['Agent', 'Your file', 'In a project', 'Time limit of a call'], agentFiles()),
    },
    'docs/tools.md': {
      profiles: profiles(),
      ...Object.fromEntries(tools.map((tool) => [tool.name, reference(tool)])),
    },
    'docs/lsp.md': {
      methods: table(
        ['LSP method', 'Command of VS Code'],
        Object.entries(METHODS).map(([method, { what }]) => [`\`${method}\``, `\`${COMMANDS[what]}\``]),
      ),
    },
    'docs/resources.md': {
      resources: table(
        ['Resource', 'What it is'],
        features.resources
          .flatMap(({ fixed = [], templates }) => [
            ...fixed.map(({ uri, description }) => [uri, description]),
            ...templates.map(({ uriTemplate, description = '' }) => [uriTemplate, description]),
          ])
          .map(([uri, description = '']) => [`\`${uri}\``, description]),
      ),
    },
    'docs/settings.md': {
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
    },
    'docs/access.md': { closed: globTable(CLOSED), guarded: globTable(GUARDED) },
  };
  return new Map(
    Object.entries(parts).map(([page, byName]) => [
      page,
      Object.entries(byName).reduce((text, [name, lines]) => replaced(text, name, lines, page), read(page)),
    ]),
  );
}

/** The lists of tools with their sizes. */
function profiles(): string {
  const { tools, core } = catalogue(features, '');
  const listed = coreEntries({ tools, core });
  const rows = Object.entries({ core: listed, all: tools }).map(([name, list]) => [
    `\`${name}\``,
    `${list.length}`,
    `${(Buffer.byteLength(JSON.stringify(list)) / 1024).toFixed(1)} KB`,
    name === 'core' ? list.map((tool) => `\`${tool.name}\``).join(' ') : 'all of the tools below',
  ]);
  return table(['List', 'Tools', '`tools/list`', 'Which'], rows);
}

const globTable = (rows: Record<string, string[]>): string =>
  table(
    ['What', 'Globs'],
    Object.entries(rows).map(([reason, globs]) => [reason, globs.map((glob) => `\`${glob}\``).join(' ')]),
  );

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function replaced(text: string, name: string, lines: string, page: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`${page} has no ${open} … ${close}.`);
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
  const read = (name: string) => readFileSync(at(name), 'utf8');
  for (const [name, text] of pages(read, readManifest())) writeFileSync(at(name), text);
}
