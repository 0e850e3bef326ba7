import * as vscode from 'vscode';
import type { Fields } from '../../../core/json.ts';

export interface NewServer {
  name: string;
  /** In the shape of the setting. */
  definition: Fields;
}

export async function fromCommandLine(value = ''): Promise<NewServer | undefined> {
  const { l10n } = vscode;
  const line = await ask({
    title: l10n.t('Command Line of the Server'),
    placeHolder: 'node server.js --stdio',
    value,
    check: (text) => (commandOf(text) ? undefined : l10n.t('Enter a program and its arguments.')),
  });
  const words = line === undefined ? undefined : commandOf(line);
  if (!words) return undefined;
  const { command, args, env } = words;
  const definition = { command, args, ...(Object.keys(env).length > 0 && { env }) };
  return { name: nameOfCommand(command, args), definition };
}

export async function fromUrl(value = ''): Promise<NewServer | undefined> {
  const { l10n } = vscode;
  const url = await ask({
    title: l10n.t('Address of the Server'),
    placeHolder: 'https://example.com/mcp',
    value,
    check: (text) =>
      /^https?:$/.test(URL.parse(text)?.protocol ?? '')
        ? undefined
        : l10n.t('Enter an address that starts with http:// or https://.'),
  });
  return url === undefined ? undefined : { name: nameOfUrl(url), definition: { type: 'http', url } };
}

export async function fromPackage(): Promise<NewServer | undefined> {
  const { l10n } = vscode;
  const words = await ask({
    title: l10n.t('npm Package of the Server, and Its Arguments'),
    placeHolder: '@modelcontextprotocol/server-filesystem .',
    check: (text) =>
      /^(@[\w.~-]+\/)?[\w.~-]+(@\S+)?(\s|$)/.test(text) ? undefined : l10n.t('Enter the name of a package.'),
  });
  const given = words === undefined ? undefined : commandOf(words);
  if (!given) return undefined;
  const args = ['-y', given.command, ...given.args];
  return { name: nameOfCommand('npx', args), definition: { command: 'npx', args } };
}

/** The package, script or program: `@scope/server-files@1` gives `files`. Pure. */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const isRunner = /^(npx|bunx|pnpm|uvx?|node|deno|python3?|docker|sh|bash)$/.test(baseOf(command));
  const word = (isRunner && args.find((arg) => !/^(-|run$|dlx$|exec$)/.test(arg))) || command;
  const base = baseOf(word.replace(/(?<=.)@[^/]*$/, '')).replace(/\.\w+$/, '');
  return base.replace(/^(mcp[-_])?server[-_]|[-_](mcp([-_]server)?|server)$/g, '') || base;
}

/** `api.example.com` gives `example`. Pure. */
export function nameOfUrl(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  if (/^[\d.]+$|^\[/.test(host)) return host; // an IP address
  const parts = host.split('.').filter((part) => !/^(www|api|mcp)$/.test(part));
  return parts.at(-2) ?? parts[0] ?? 'server';
}

const baseOf = (path: string): string => path.replace(/^.*[\\/]/, '').replace(/\.(exe|cmd)$/i, '');

interface TextQuestion {
  title: string;
  placeHolder?: string;
  value?: string;
  /** @returns what is wrong with a text */
  check(text: string): string | undefined;
}

/** @returns the text without spaces around it; undefined if the user cancels */
export async function ask({ check, ...options }: TextQuestion): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    ...options,
    ignoreFocusOut: true,
    validateInput: (typed) => check(typed.trim()),
  });
  return text?.trim();
}

/** A command line that the user typed or pasted. Pure. */

interface TypedCommand {
  env: Record<string, string>;
  command: string;
  args: string[];
}

const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PART = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/** Split as a POSIX shell does, without expansions: `A=1 node 'my server.js'`. Undefined if there is no command. */
export function commandOf(line: string): TypedCommand | undefined {
  const words = (line.match(WORD) ?? []).map(unquoted);
  const env: Record<string, string> = {};
  let index = 0;
  for (; index < words.length; index++) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[index] ?? '') ?? [];
    if (name === undefined || value === undefined) break;
    env[name] = value;
  }
  const [command, ...args] = words.slice(index);
  return command === undefined ? undefined : { env, command, args };
}

/** A path of Windows keeps its backslashes: only quotes, spaces and backslashes are escaped by them. */
const unquoted = (word: string): string =>
  word.replace(
    PART,
    (whole, escaped: string | undefined, double: string | undefined, single: string | undefined) => {
      if (escaped !== undefined) return /[\s"'\\]/.test(escaped) ? escaped : whole;
      return single ?? (double ?? '').replace(/\\(["\\])/g, '$1');
    },
  );
