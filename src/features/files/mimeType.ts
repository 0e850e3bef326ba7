import { mimes } from 'mrmime';

/**
 * Extensions and names that the media type registry lacks, or maps to something other than source code (`.ts` is MPEG video
 * there). Languages have the names that editors and repository hosts use.
 */
const SOURCES: Record<string, string> = {
  'application/graphql': 'graphql',
  'application/json': 'code-snippets code-workspace jsonc',
  'application/jsonl': 'jsonl',
  'application/x-ipynb+json': 'ipynb',
  'application/yaml': 'yaml yml',
  'text/plain': 'lock',
  'text/tsx': 'tsx',
  'text/typescript': 'cts mts ts',
  'text/x-c': 'h',
  'text/x-c++': 'cc cpp cxx hpp',
  'text/x-clojure': 'clj',
  'text/x-cmake': 'cmakelists.txt',
  'text/x-csharp': 'cs',
  'text/x-diff': 'patch',
  'text/x-elixir': 'ex exs',
  'text/x-erlang': 'erl',
  'text/x-fsharp': 'fs',
  'text/x-groovy': 'gradle',
  'text/x-haskell': 'hs',
  'text/x-julia': 'jl',
  'text/x-kotlin': 'kt kts',
  'text/x-makefile': 'mk',
  'text/x-objective-c': 'm',
  'text/x-ocaml': 'ml',
  'text/x-perl': 'pl',
  'text/x-powershell': 'ps1',
  'text/x-protobuf': 'proto',
  'text/x-python': 'py pyi',
  'text/x-ruby': 'gemfile rakefile rb',
  'text/x-rust': 'rs',
  'text/x-shellscript': 'bash sh zsh',
  'text/x-terraform': 'tf',
};

/** Languages whose file extension is their name. */
const LANGUAGES =
  'astro bat c cmake dart diff dockerfile elm go groovy ini java less lua makefile nix php properties r sass scala scss sql svelte swift tex vue zig';

/** Extensions that are also whole file names. */
const NAMES = new Set(['dockerfile', 'gemfile', 'makefile', 'rakefile']);

const TYPES = new Map([
  ...LANGUAGES.split(' ').map((language) => [language, `text/x-${language}`] as const),
  ...Object.entries(SOURCES).flatMap(([type, endings]) =>
    endings.split(' ').map((ending) => [ending, type] as const),
  ),
]);

export const FOLDER_TYPE = 'inode/directory';

/**
 * Media type by file name; undefined if the name does not tell.
 *
 * @param path with `/` between the names
 */
export function mimeTypeOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return NAMES.has(name) ? TYPES.get(name) : undefined;
  const ending = name.slice(dot + 1);
  return TYPES.get(name) ?? TYPES.get(ending) ?? (Object.hasOwn(mimes, ending) ? mimes[ending] : undefined);
}
