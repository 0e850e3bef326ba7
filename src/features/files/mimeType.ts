import { mimes } from 'mrmime';

/**
 * Names and endings that the registry of media types does not know, or gives to something else than source code (`.ts`
 * is MPEG video there). Programming languages are named as editors and repository hosts name them.
 */
const SOURCES: Record<string, string> = {
  astro: 'text/x-astro',
  bash: 'text/x-shellscript',
  bat: 'text/x-bat',
  c: 'text/x-c',
  cc: 'text/x-c++',
  clj: 'text/x-clojure',
  cmake: 'text/x-cmake',
  'code-snippets': 'application/json',
  'code-workspace': 'application/json',
  cpp: 'text/x-c++',
  cs: 'text/x-csharp',
  cts: 'text/typescript',
  cxx: 'text/x-c++',
  dart: 'text/x-dart',
  diff: 'text/x-diff',
  dockerfile: 'text/x-dockerfile',
  elm: 'text/x-elm',
  erl: 'text/x-erlang',
  ex: 'text/x-elixir',
  exs: 'text/x-elixir',
  fs: 'text/x-fsharp',
  go: 'text/x-go',
  gradle: 'text/x-groovy',
  graphql: 'application/graphql',
  groovy: 'text/x-groovy',
  h: 'text/x-c',
  hpp: 'text/x-c++',
  hs: 'text/x-haskell',
  ini: 'text/x-ini',
  ipynb: 'application/x-ipynb+json',
  java: 'text/x-java',
  jl: 'text/x-julia',
  json5: 'application/json5',
  jsonc: 'application/json',
  jsonl: 'application/jsonl',
  jsx: 'text/jsx',
  kt: 'text/x-kotlin',
  kts: 'text/x-kotlin',
  less: 'text/x-less',
  lock: 'text/plain',
  lua: 'text/x-lua',
  m: 'text/x-objective-c',
  mk: 'text/x-makefile',
  ml: 'text/x-ocaml',
  mts: 'text/typescript',
  nix: 'text/x-nix',
  patch: 'text/x-diff',
  php: 'text/x-php',
  pl: 'text/x-perl',
  properties: 'text/x-properties',
  proto: 'text/x-protobuf',
  ps1: 'text/x-powershell',
  py: 'text/x-python',
  pyi: 'text/x-python',
  r: 'text/x-r',
  rb: 'text/x-ruby',
  rs: 'text/x-rust',
  sass: 'text/x-sass',
  scala: 'text/x-scala',
  scss: 'text/x-scss',
  sh: 'text/x-shellscript',
  sql: 'text/x-sql',
  svelte: 'text/x-svelte',
  swift: 'text/x-swift',
  tex: 'text/x-tex',
  tf: 'text/x-terraform',
  ts: 'text/typescript',
  tsx: 'text/tsx',
  vue: 'text/x-vue',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zig: 'text/x-zig',
  zsh: 'text/x-shellscript',
};

const NAMES: Record<string, string> = {
  dockerfile: 'text/x-dockerfile',
  makefile: 'text/x-makefile',
  'cmakelists.txt': 'text/x-cmake',
  gemfile: 'text/x-ruby',
  rakefile: 'text/x-ruby',
};

export const FOLDER_TYPE = 'inode/directory';

/**
 * Media type by a file's name; undefined where the name does not tell.
 *
 * @param path with `/` between the names
 */
export function mimeTypeOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot + 1) : '';
  return own(NAMES, name) ?? own(SOURCES, ending) ?? own(mimes, ending);
}

/** A file may be called `constructor`. */
const own = (table: Record<string, string>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
