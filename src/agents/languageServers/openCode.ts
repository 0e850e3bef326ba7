import { fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { isSame } from '../formats/format.ts';
import { json } from '../formats/json.ts';
import { type LanguagePlace, withoutEmpty } from '../program.ts';
import { languageByEnding } from './endings.ts';

/** packages/opencode/src/lsp/server.ts: its own servers, and file extensions of theirs that decide whether the window serves the language. */
const BUILT_IN: Record<string, string> = {
  deno: '.ts',
  typescript: '.ts .js',
  vue: '.vue',
  eslint: '.ts .js',
  oxlint: '.ts .js',
  biome: '.ts .js',
  gopls: '.go',
  'ruby-lsp': '.rb',
  ty: '.py',
  pyright: '.py',
  'elixir-ls': '.ex',
  zls: '.zig',
  csharp: '.cs',
  razor: '.cshtml',
  fsharp: '.fs',
  'sourcekit-lsp': '.swift',
  rust: '.rs',
  clangd: '.c .cpp',
  svelte: '.svelte',
  astro: '.astro',
  jdtls: '.java',
  'kotlin-ls': '.kt',
  'yaml-ls': '.yaml',
  'lua-ls': '.lua',
  'php intelephense': '.php',
  prisma: '.prisma',
  dart: '.dart',
  'ocaml-lsp': '.ml',
  bash: '.sh',
  terraform: '.tf',
  texlab: '.tex',
  dockerfile: '.dockerfile',
  gleam: '.gleam',
  'clojure-lsp': '.clj',
  nixd: '.nix',
  tinymist: '.typ',
  'haskell-language-server': '.hs',
  julials: '.jl',
};

const OFF = { disabled: true };

/** In our server: which of the others we have turned off, or all. It is sent to our server too, which does not read it. */
const REPLACES = 'replaces';
const ALL = 'all';

const serversOf = (whole: unknown) => fieldsOf(fieldsOf(whole).lsp);

/** What we have turned off, and the user has not changed since. */
function turnedOff(whole: unknown, name: string): string[] {
  const servers = serversOf(whole);
  const { [REPLACES]: replaces } = fieldsOf(fieldsOf(servers[name]).initialization);
  const names = replaces === ALL ? Object.keys(BUILT_IN) : itemsOf(replaces).map(String);
  return names.filter((one) => isSame(servers[one], OFF));
}

/**
 * Without `lsp`, opencode starts no servers; with it also all of its own. So all of these are turned off if none ran before, otherwise
 * those whose languages the window serves. A server that the user has configured stays.
 */
export const openCodeLanguageServers = (files: LanguagePlace['files']): LanguagePlace[] => [
  {
    format: json,
    files,
    servers: serversOf,
    found: (whole, name) =>
      name === undefined
        ? []
        : [name, ...turnedOff(whole, name)].map((one) => ({
            path: ['lsp', one],
            value: serversOf(whole)[one],
          })),
    wanted(whole, { server: { command, args, env }, name, languages }) {
      const { lsp } = fieldsOf(whole);
      const { [name]: old, ...others } = serversOf(whole);
      const isAlone = old ? fieldsOf(fieldsOf(old).initialization)[REPLACES] === ALL : !lsp;
      const ours = turnedOff(whole, name);
      const extensions = Object.keys(languageByEnding(languages));
      const off = Object.entries(BUILT_IN)
        .filter(([one]) => others[one] === undefined || ours.includes(one))
        .filter(([, endings]) => isAlone || endings.split(' ').some((one) => extensions.includes(one)))
        .map(([one]) => one);
      const entry = {
        command: [command, ...args],
        extensions,
        ...withoutEmpty({ env }),
        initialization: { [REPLACES]: isAlone ? ALL : off },
      };
      const servers = { [name]: entry, ...Object.fromEntries(off.map((one) => [one, OFF])) };
      if (lsp !== undefined && !isObject(lsp)) return [{ path: ['lsp'], value: servers }];
      return Object.entries(servers).map(([one, value]) => ({ path: ['lsp', one], value }));
    },
  },
];
