import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Fields, itemsOf } from '../../../core/json.ts';

/** The user's own servers run in the home directory; what they add usually comes from a terminal in the workspace folder. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of definitions
const FOLDER = '${workspaceFolder}';

/** They get a package from elsewhere, which files of the folder must not replace: only the paths that it gets are in the folder. */
const FETCHES = /^(npx|bunx|pnpx|uvx|pipx|(npm|pnpm|yarn) (exec|x|dlx))(\.\w+)?( |$)/;

/** They run the project of the folder that they are in. */
const RUNS_PROJECT =
  /^((npm|pnpm|yarn|bun) (run|start)|(cargo|go|dotnet|make|just|poetry|pdm|hatch|bundle|mvn|gradle)|(uv|rye) run|deno task|docker compose)( |$)/;

/** `.`, `./a`, `../a`, `--root=.` and `.:/data`. */
const DOTS = /(^|=)(\.{1,2})(?=$|[\\/:])/;

/** A definition that means the same in the home directory. @param folder absolute path of the workspace folder */
export function inFolder(definition: Fields, folder: string | undefined): Fields {
  const { command, cwd } = definition;
  if (folder === undefined || typeof command !== 'string' || cwd !== undefined) return definition;
  const args = itemsOf(definition.args).filter((arg) => typeof arg === 'string');
  const line = [command.replace(/^.*[\\/]/, ''), ...args].join(' ');
  if (FETCHES.test(line)) return { ...definition, args: args.map(absolute) };
  const isThere = (word: string) =>
    DOTS.test(word) ||
    (!/^-|^$/.test(word) &&
      !isAbsolute(word) &&
      ['', '.js', '.py'].some((end) => existsSync(join(folder, word + end))));
  const program = /[\\/]/.test(command) ? [command] : []; // any other is found by the PATH
  return RUNS_PROJECT.test(line) || [...program, ...args].some(isThere)
    ? { ...definition, cwd: FOLDER }
    : definition;
}

const absolute = (arg: string): string =>
  arg.replace(DOTS, (_, before: string, dots: string) => `${before}${FOLDER}${dots === '..' ? '/..' : ''}`);
