import { dirname, join } from 'node:path';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import { valueAt } from '../formats/format.ts';
import { json } from '../formats/json.ts';
import { ENTRY, type LanguagePlace, type Launch, type Part, type Place, stdio } from '../program.ts';
import { languageByEnding } from './endings.ts';

const PLUGIN = 'language-servers';
const ID = `${PLUGIN}@${ENTRY}`;

/** A marketplace of ours with a plugin, which Claude Code uses where it is. */
const folderOf = ({ shim }: Launch): string => join(dirname(shim), 'claude-code');

const partsAt =
  (...paths: string[][]) =>
  (whole: unknown): Part[] =>
    paths.map((path) => ({ path, value: valueAt(whole, path) })).filter(({ value }) => value !== undefined);

/**
 * Claude Code knows language servers of plugins only. It installs one that the user's settings name when it starts, without a question,
 * and notes that in two files of its own.
 *
 * @param below its configuration directory
 */
export const claudeLanguageServers = (below: (...names: string[]) => Place['files']): LanguagePlace[] => [
  {
    format: json,
    files: (_, launch) => [join(folderOf(launch), '.claude-plugin', 'marketplace.json')],
    servers: (whole) => fieldsOf(itemsOf(fieldsOf(whole).plugins)[0]).lspServers,
    // The whole file is ours.
    found: (whole) => Object.entries(fieldsOf(whole)).map(([name, value]) => ({ path: [name], value })),
    wanted: (_, { server, languages }) => {
      const entry = { ...stdio(server), extensionToLanguage: languageByEnding(languages) };
      const texts = { description: 'The language servers of VS Code', version: '1' };
      const plugin = { name: PLUGIN, ...texts, source: './', strict: false, lspServers: { [ENTRY]: entry } };
      return [
        { path: ['name'], value: ENTRY },
        { path: ['owner'], value: { name: 'Workspace MCP' } },
        { path: ['description'], value: 'Made by "Workspace MCP: Connect Agent", which also removes it' },
        { path: ['plugins'], value: [plugin] },
      ];
    },
  },
  {
    format: json,
    files: below('settings.json'),
    found: partsAt(['extraKnownMarketplaces', ENTRY], ['enabledPlugins', ID]),
    wanted: (_, { launch }) => [
      {
        path: ['extraKnownMarketplaces', ENTRY],
        value: { source: { source: 'directory', path: folderOf(launch) } },
      },
      { path: ['enabledPlugins', ID], value: true },
    ],
  },
  { format: json, files: below('plugins', 'known_marketplaces.json'), found: partsAt([ENTRY]) },
  { format: json, files: below('plugins', 'installed_plugins.json'), found: partsAt(['plugins', ID]) },
];
