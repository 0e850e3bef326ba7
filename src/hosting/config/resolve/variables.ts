import { posix, win32 } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import { fieldName, type L10n } from '../problems.ts';

/** `${…}` in VS Code's mcp.json and our setting, and in `.mcp.json`, where `${X}` is a variable of the environment. */
export type Syntax = 'mcp.json' | '.mcp.json';

export interface Folder {
  name: string;
  /** Absolute path. */
  path: string;
}

/** What variables stand for. */
export interface Values {
  /** `${workspaceFolder}`; undefined in a window without one. */
  folder?: Folder | undefined;
  folders: readonly Folder[];
  /** Absolute path of the home directory. */
  home: string;
  /** The editor's environment. */
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Values of inputs by their ids. */
  inputs: ReadonlyMap<string, string>;
  /** For errors. */
  l10n: L10n;
}

const REFERENCE = /\$\{([^{}]*)\}/g;

/** The variables in a text, each once: `input:token`, `userHome`, `X:-default`. */
export const references = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, name = '']) => name)),
];

/** The arguments of the references of one kind: `token` of `input:token`. */
const argumentsOf = (kind: string, names: readonly string[]): string[] =>
  names.filter((name) => name.startsWith(`${kind}:`)).map((name) => name.slice(kind.length + 1));

export const inputIds = (names: readonly string[]): string[] => argumentsOf('input', names);

/** The variables of the environment among references, without those of `.mcp.json`. */
export const environmentNames = (names: readonly string[]): string[] => argumentsOf('env', names);

/** A variable of the environment; on Windows its case does not matter. */
export function environmentValue(
  env: NodeJS.ProcessEnv,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return Object.hasOwn(env, name) ? env[name] : undefined;
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/**
 * The text with its variables replaced, once: values that contain `${…}` are not replaced again. As in VS Code, `${env:X}` is empty
 * if X is not set, and an unknown `${X}` stays, because it may be meant for a shell.
 *
 * @param text without inputs that have no value
 * @throws UserError if a variable is not supported or has no value; its message has no value of any variable
 */
export function expand(text: string, syntax: Syntax, values: Values): string {
  const replacement = syntax === '.mcp.json' ? environmentOnly : anyVariable;
  return text.replaceAll(REFERENCE, (whole, name: string) => replacement(name, values) ?? whole);
}

type Replacement = (name: string, values: Values) => string | undefined;

const environmentOnly: Replacement = (name, { env, platform, l10n }) => {
  const [, variable, fallback] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(name) ?? [];
  if (variable === undefined) return refuse(name, l10n);
  const value = environmentValue(env, variable, platform) ?? fallback;
  if (value !== undefined) return value;
  throw new UserError(
    l10n.t("the variable {0} is not set in VS Code's environment. Set it and restart VS Code.", variable),
  );
};

const anyVariable: Replacement = (name, values) => {
  const [, kind, argument] = /^([^:]*)(?::(.*))?$/s.exec(name) ?? [];
  switch (kind) {
    case 'workspaceFolder':
    case 'cwd':
      return folderOf(argument, values).path;
    case 'workspaceFolderBasename':
      return pathsOf(values).basename(folderOf(argument, values).path);
    case 'pathSeparator':
    case '/':
      return pathsOf(values).sep;
    case 'userHome':
      return values.home;
    case 'env':
      return environmentValue(values.env, argument ?? '', values.platform) ?? '';
    case 'input': {
      const value = values.inputs.get(argument ?? '');
      if (value !== undefined) return value;
      throw new UserError(values.l10n.t('the input {0} has no value yet', argument ?? ''));
    }
    default:
      return refuse(name, values.l10n);
  }
};

const pathsOf = ({ platform }: Values) => (platform === 'win32' ? win32 : posix);

/** Variables of VS Code that name the active editor, or VS Code itself. */
const EDITOR_VARIABLES =
  /^(file([A-Z]\w*)?|relativeFile(Dirname)?|lineNumber|columnNumber|selectedText|execPath|defaultBuildTask)$/;

/** Leaves what only a shell knows: `X`, `X:-default`. Any other name with a colon is meant for VS Code: `config:x`, `command:x`. */
function refuse(name: string, l10n: L10n): undefined {
  if (!/^[A-Za-z]+:(?![-=+?])/.test(name) && !EDITOR_VARIABLES.test(name)) return undefined;
  throw new UserError(l10n.t('the variable {0} is not supported here', `\${${name}}`));
}

function folderOf(name: string | undefined, { folder, folders, l10n }: Values): Folder {
  const found = name === undefined ? folder : folders.find((one) => one.name === name);
  if (found) return found;
  throw new UserError(
    name === undefined
      ? l10n.t('workspaceFolder needs an open folder')
      : l10n.t('there is no workspace folder {0}', name),
  );
}

/** Replaces the variables of one field. @throws UserError that names the field, and has no value of any variable */
export type Fill = (path: readonly PropertyKey[], text: string) => string;

export const filler =
  (syntax: Syntax, values: Values): Fill =>
  (path, text) =>
    inField(path, () => withoutNull(expand(text, syntax, values), values.l10n));

export const atHome = (text: string, { home }: Pick<Values, 'home'>): string =>
  text.replace(/^~(?=$|[\\/])/, () => home);

/** Names the field in errors. */
export function inField<T>(path: readonly PropertyKey[], action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof UserError ? new UserError(`${fieldName(path)}: ${error.message}`) : error;
  }
}

/** @throws UserError for a text that no process can be given; Node's own error would quote it */
export function withoutNull(text: string, l10n: L10n): string {
  if (text.includes('\0')) throw new UserError(l10n.t('must not contain a null character'));
  return text;
}
