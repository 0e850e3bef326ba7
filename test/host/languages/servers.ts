/** The servers of other languages: from npm's registry and Debian's packages, in one version each. */
import { join } from 'node:path';
import { ensurePackage } from '../../packages.ts';
import { canInstall, ensureFromDebian } from '../headless/debian.ts';
import { projectNode } from '../paths.ts';
import { findProgram } from '../programs.ts';

export interface Server {
  /** The folder of its project. */
  language: string;
  /** As people know it. */
  name: string;
  /** VS Code's identifiers of the languages that it serves. */
  languages: readonly string[];
  /** Debian's packages that have to be there, and a program of each: the server, or what judges its answers. */
  debian: Readonly<Record<string, string>>;
  /** Where npm has it: package, version, and the script with its arguments. Else the first program of Debian is the server. */
  npm?: readonly [name: string, version: string, script: string, ...args: string[]];
}

/** Names the languages to test, with commas between; all of them without it. */
export const LANGUAGES_VARIABLE = 'HOST_TEST_LANGUAGES';

/** The user has allowed edits in advance. */
export const EDITS_ALLOWED = { 'workspaceMcp.approvals': { edit: 'allow' } };

const PYRIGHT = ['pyright', '1.1.414'] as const;

/** Pyright's own command line. */
export const pyrightScript = async (): Promise<string> => join(await ensurePackage(...PYRIGHT), 'index.js');

export const SERVERS: readonly Server[] = [
  {
    language: 'python',
    name: 'Pyright',
    languages: ['python'],
    debian: {},
    npm: [...PYRIGHT, 'langserver.index.js', '--stdio'],
  },
  { language: 'cpp', name: 'clangd', languages: ['c', 'cpp'], debian: { clangd: 'clangd', 'g++': 'g++' } },
  {
    language: 'go',
    name: 'gopls',
    languages: ['go', 'go.mod'],
    debian: { gopls: 'gopls', 'golang-go': 'go' },
  },
  {
    language: 'php',
    name: 'Intelephense',
    languages: ['php'],
    debian: { 'php-cli': 'php' },
    npm: ['intelephense', '1.18.5', 'lib/intelephense.js', '--stdio'],
  },
  {
    language: 'shell',
    name: 'Bash Language Server',
    languages: ['shellscript'],
    debian: { shellcheck: 'shellcheck' },
    npm: ['bash-language-server', '5.8.1', 'out/cli.js', 'start'],
  },
];

/** The language of each argument, or all. @throws Error that names them all */
export function serversOf(languages: readonly string[]): readonly Server[] {
  const unknown = languages.find((name) => !SERVERS.some(({ language }) => language === name));
  if (unknown)
    throw new Error(
      `No language "${unknown}"; there are: ${SERVERS.map(({ language }) => language).join(', ')}.`,
    );
  return languages.length === 0 ? SERVERS : SERVERS.filter(({ language }) => languages.includes(language));
}

/** What is missing on this machine and cannot be installed; nothing where the server runs. */
export function missingFor({ debian }: Server): string[] {
  if (canInstall()) return [];
  return Object.keys(debian).filter((name) => !findProgram(debian[name] ?? ''));
}

/** Installs the server where it is missing. Returns the command line that starts it. */
export async function ensureServer({ debian, npm }: Server): Promise<[command: string, ...args: string[]]> {
  const programs: string[] = [];
  for (const [name, program] of Object.entries(debian))
    programs.push(await ensureFromDebian([program], name, console.error));
  if (!npm) return [programs[0] ?? ''];
  const [name, version, script, ...args] = npm;
  return [projectNode(), join(await ensurePackage(name, version), script), ...args];
}
