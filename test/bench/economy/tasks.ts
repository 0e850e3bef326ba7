/** What agents do with code: with the language server, with files alone, and with ripgrep in a shell. */
import type { FileAgent } from './fileAgent.ts';
import type { Meter } from './meter.ts';
import type { ShellAgent } from './shellAgent.ts';
import { callsOf, subtypes } from './shellSearches.ts';
import { pathsIn } from './uses.ts';

export interface Task {
  title: string;
  /** The symbol whose uses it is about. */
  symbol?: { symbol: string; path: string };
  ours(agent: Meter): Promise<void>;
  /** @param used the files that have a use of the symbol: the agent sees it once it has read them */
  files(agent: FileAgent, used: ReadonlySet<string>): Promise<void>;
  /** @param used as above: it tells false hits from the lines */
  shell(agent: ShellAgent, used: ReadonlySet<string>): void;
}

const UTIL = 'src/v4/core/util.ts';
const ABORTED = { symbol: 'aborted', path: UTIL };
const PREFIX_ISSUES = { symbol: 'prefixIssues', path: UTIL };
/** Its callers, as the agent has read. */
const CALLERS = [
  'ArrayResult',
  'PropertyResult',
  'TupleResult',
  'TupleResults',
  'MapResult',
  'CheckPropertyResult',
].map((name) => `handle${name}`);
const JOIN_VALUES = { symbol: 'joinValues', path: UTIL };
const SMALL = { symbol: 'constantCatch', path: UTIL };
const CHECK_DEF = { symbol: '$ZodCheckDef', path: 'src/v4/core/checks.ts' };
const DOCUMENTED = { symbol: 'handleUnrepresentable', path: 'src/v4/core/to-json-schema.ts' };
const METHOD = { symbol: 'ZodObject/_parse', path: 'src/v3/types.ts' };
const CHANGED = 'src/v4/core/registries.ts';
/** The names that it exports; one is a word of comments too. */
const EXPORTED =
  /(\$ZodRegistry|globalRegistry|GlobalMeta|JSONSchemaMeta|\$replace|\$output|\$input)\b|\bregistry[(<]/
    .source;
const TESTS = '**/tests/**';
const NEW_NAME = 'joinWith';
const MESSAGE = 'Unrecognized key';
const BREAKING = {
  oldText: 'function prefixIssues(path: PropertyKey',
  newText: 'function prefixIssues(path: Date',
};

const one =
  (name: string, args: object) =>
  async (agent: Meter): Promise<void> =>
    void (await agent.call(name, args));

export const TASKS: readonly Task[] = [
  {
    title: 'callers of a function (`find_calls`)',
    symbol: ABORTED,
    ours: one('find_calls', ABORTED),
    files: (agent) => agent.readNaming(ABORTED.symbol),
    shell: (agent) => agent.readHeads(callsOf(agent, ABORTED.symbol)),
  },
  {
    title: 'rename in 62 files (`rename_symbol`)',
    symbol: JOIN_VALUES,
    ours: one('rename_symbol', { ...JOIN_VALUES, newName: NEW_NAME }),
    async files(agent, used) {
      await agent.readNaming(JOIN_VALUES.symbol);
      for (const path of used) await agent.rename(path, JOIN_VALUES.symbol, NEW_NAME);
    },
    shell(agent, used) {
      agent.search(`\\b${JOIN_VALUES.symbol}\\b`);
      for (const path of used) agent.edit(path, JOIN_VALUES.symbol, NEW_NAME, true);
    },
  },
  {
    title: 'callers of its callers (`find_calls`, depth 2)',
    symbol: PREFIX_ISSUES,
    ours: one('find_calls', { ...PREFIX_ISSUES, depth: 2 }),
    // Every caller is in a file that names it.
    files: (agent) => agent.readNaming(PREFIX_ISSUES.symbol),
    shell(agent) {
      const calls = callsOf(agent, PREFIX_ISSUES.symbol);
      agent.readHeads(calls);
      agent.readHeads(callsOf(agent, CALLERS.join('|')));
    },
  },
  {
    title: 'signature and documentation of a function (`get_symbol`)',
    ours: one('get_symbol', DOCUMENTED),
    files: (agent) => agent.readPart(DOCUMENTED.path, [`function ${DOCUMENTED.symbol}`], /^\}/),
    shell(agent) {
      const line = agent.searchIn(DOCUMENTED.path, `function ${DOCUMENTED.symbol}`);
      agent.readDeclaration(DOCUMENTED.path, line, /^\}/);
    },
  },
  {
    title: 'one method of a file of 5,138 lines (`get_symbol`)',
    ours: one('get_symbol', METHOD),
    files: (agent) => agent.readPart(METHOD.path, ['class ZodObject<', ' _parse('], /^ {2}\}/),
    // Every class has such a method: it is read from the head of its class.
    shell(agent) {
      const line = agent.searchIn(METHOD.path, 'class ZodObject<');
      agent.readDeclaration(METHOD.path, line, /^ {2}_parse\(/, /^ {2}\}$/);
    },
  },
  {
    title: 'subtypes of an interface (`find_types`)',
    symbol: CHECK_DEF,
    ours: one('find_types', CHECK_DEF),
    files: (agent) => agent.readNaming(CHECK_DEF.symbol),
    shell: (agent) => subtypes(agent, CHECK_DEF.symbol),
  },
  {
    title: 'impact of a changed file (`get_change_impact`)',
    ours: one('get_change_impact', { paths: [CHANGED] }),
    files: (agent) => agent.readImporting(CHANGED),
    shell(agent) {
      agent.searchIn(CHANGED, '^export');
      agent.search(EXPORTED, `!${TESTS}`, '!registries.ts');
      agent.searchFiles(EXPORTED, TESTS);
    },
  },
  {
    title: 'a breaking edit and its errors (`edit_file`, `find_references`, `get_diagnostics`)',
    symbol: PREFIX_ISSUES,
    async ours(agent) {
      await agent.call('edit_file', { path: UTIL, edits: [BREAKING] });
      const paths = pathsIn(await agent.call('find_references', PREFIX_ISSUES));
      await agent.call('get_diagnostics', { paths, severity: 'error' });
    },
    // Errors cannot be had: it reads the files that may have some.
    async files(agent) {
      await agent.edit(UTIL, [BREAKING]);
      await agent.readNaming(PREFIX_ISSUES.symbol);
    },
    // It sees at the heads of the callers what type they pass.
    shell(agent) {
      agent.edit(UTIL, BREAKING.oldText, BREAKING.newText);
      agent.readHeads(callsOf(agent, PREFIX_ISSUES.symbol));
    },
  },
  {
    title: 'where a small function is used (`find_references`)',
    symbol: SMALL,
    ours: one('find_references', SMALL),
    files: (agent) => agent.readNaming(SMALL.symbol),
    shell: (agent) => void agent.search(SMALL.symbol),
  },
  {
    title: 'where a text is (`search_text`)',
    ours: one('search_text', { query: MESSAGE, caseSensitive: true }),
    files: (agent) => agent.readContaining(MESSAGE),
    shell: (agent) => void agent.search(MESSAGE),
  },
];
