/** How the programs that speak LSP are told of our language server, and how a model asks them for callers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Surroundings } from './programs.ts';
import type { Step, Turn } from './scriptedModel.ts';

/** Where something is, as models count: from 1. */
interface Place {
  path: string;
  line: number;
  character: number;
}

export interface Serving {
  /** Its row of own tools. */
  title: string;
  /** Writes the configuration. Returns arguments of the program. */
  configure: (server: readonly string[], surroundings: Surroundings) => readonly string[];
  /** Asks for the callers of a function; its last call has them. Not all programs have a tool for it. */
  callers?: (place: Place) => readonly Step[];
}

const NAME = 'workspace-mcp';
const LANGUAGES = { '.ts': 'typescript' };

function write(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

const entry = ([command, ...args]: readonly string[], languages: object) => ({
  [NAME]: { command, args, ...languages },
});

const asked = (operation: string, { path, line, character }: Place) => ({
  operation,
  filePath: path,
  line,
  character,
});

export const serving: readonly Serving[] = [
  {
    title: 'claude',
    configure(server, { home }) {
      const plugin = join(home, 'plugin');
      write(join(plugin, '.claude-plugin', 'plugin.json'), { name: NAME, version: '1.0.0' });
      write(join(plugin, '.lsp.json'), entry(server, { extensionToLanguage: LANGUAGES }));
      return ['--plugin-dir', plugin];
    },
    callers: (place) => [
      { name: 'ToolSearch', arguments: { query: 'select:LSP' } },
      { name: 'LSP', arguments: asked('incomingCalls', place) },
    ],
  },
  {
    title: 'opencode',
    configure(command, { home }) {
      const own = { typescript: { disabled: true } };
      const lsp = { [NAME]: { command, extensions: Object.keys(LANGUAGES) }, ...own };
      write(join(home, '.config', 'opencode', 'opencode.json'), { lsp });
      return [];
    },
  },
  {
    title: 'copilot, Messages',
    configure(server, { home }) {
      const lspServers = entry(server, { fileExtensions: LANGUAGES });
      write(join(home, '.copilot', 'lsp-config.json'), { lspServers });
      return [];
    },
    callers: ({ path, ...place }) => [
      { name: 'lsp', arguments: { operation: 'incomingCalls', file: path, ...place } },
    ],
  },
  {
    title: 'qwen',
    // It reads no file of the user: that of an extension, or of the project.
    configure(server, { cwd }) {
      write(join(cwd, '.lsp.json'), entry(server, { extensionToLanguage: LANGUAGES }));
      return ['--experimental-lsp'];
    },
    callers: (place) => [
      { name: 'tool_search', arguments: { query: 'select:lsp' } },
      byName('lsp', asked('prepareCallHierarchy', place)),
      (turn) => byName('lsp', { operation: 'incomingCalls', callHierarchyItem: preparedIn(turn) }),
    ],
  },
];

const byName = (name: string, given: object) => ({
  name: 'tool_call',
  arguments: { name, arguments: given },
});

/** The first item of the list that its tool shows as JSON. */
function preparedIn({ results }: Turn): object {
  const message: { content: { text: string }[] | string } = JSON.parse(results.at(-1) ?? '');
  const { content } = message;
  const text = typeof content === 'string' ? content : (content[0]?.text ?? '');
  const [, list = '[{}]'] = /\n(\[\n[\s\S]*\])/.exec(text) ?? [];
  const [item] = JSON.parse(list);
  return item;
}
