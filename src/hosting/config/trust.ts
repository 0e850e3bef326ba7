import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import {
  type FieldChange,
  type FieldText,
  fieldChanges,
  fieldText,
  fieldTexts,
} from '../../core/fieldChanges.ts';
import { fieldsOf, itemsOf, parsedJson, textsIn } from '../../core/json.ts';
import { commandLine, type Shell } from '../../core/shell.ts';
import { allVisible } from '../../core/text/visible.ts';
import { fingerprint } from '../names.ts';
import { isStdio, type ServerLaunch } from './definition.ts';
import { loadsCode, shownVariable } from './resolve/environment.ts';
import { WITHOUT_SANDBOX } from './resolve/sandbox.ts';
import { references } from './resolve/variables.ts';

/** Where the user's approval of a server is kept, before its key. */
const KEPT_AS = 'hosting.approval:';

/** Whether a server may be started or connected to, and if not, what to ask the user. */
export type Verdict =
  | { kind: 'trusted' }
  /** The workspace is not trusted: nothing is to be asked either. */
  | { kind: 'restricted' }
  | { kind: 'new'; shown: ShownLaunch }
  /** The user approved another definition; `changes` has every difference, and for secrets only that they differ. */
  | { kind: 'changed'; shown: ShownLaunch; changes: FieldChange[] };

/** The parts of a launch that differ from the approved one, such as `command` and `env`. A repository cannot choose these names. */
export const changedParts = (verdict: Verdict): string[] =>
  verdict.kind === 'changed'
    ? [...new Set(verdict.changes.map(({ field }) => field.replace(/[.[].*$/s, '')))]
    : [];

interface TrustRecord {
  /** Unique, for `grantKey`. */
  id: string;
  hash: string;
  fields: FieldText[];
  /** What its env file set, from `shownOfFile`: anything else needs another approval. */
  variables?: readonly string[];
}

/** VS Code's global state: a repository can write files of the workspace, but not this. */
export type TrustStore = Pick<vscode.Memento, 'get' | 'update'>;

/** What the user has approved. An approval covers exactly one definition of one server, which is named by its `serverKey`. */
export class Trust {
  readonly #store: TrustStore;
  readonly #workspace: Pick<typeof vscode.workspace, 'isTrusted'>;
  readonly #shell: Shell;
  readonly #variables = new Map<string, readonly string[]>();
  /** Every list of tools asks for them. */
  readonly #hashes = new WeakMap<ServerLaunch, string>();

  /** @param shell that command lines are quoted for */
  constructor(store: TrustStore, workspace: Pick<typeof vscode.workspace, 'isTrusted'>, shell: Shell) {
    this.#store = store;
    this.#workspace = workspace;
    this.#shell = shell;
  }

  /** What the env file of a server sets now: the verdict judges it. @param variables from `shownOfFile` */
  saw(server: string, variables: readonly string[]): void {
    this.#variables.set(server, variables);
  }

  /** To be asked directly before each start or connection. */
  verdict(server: string, launch: ServerLaunch): Verdict {
    if (!this.#workspace.isTrusted) return { kind: 'restricted' };
    const record = this.#recordOf(server);
    const { fields = [], variables: approved = [] } = record ?? {};
    const added = this.#variables.get(server)?.filter((one) => !approved.includes(one)) ?? [];
    if (record?.hash === this.#hashOf(launch) && added.length === 0) return { kind: 'trusted' };
    const shown = shownLaunch(launch, this.#shell);
    if (!record) return { kind: 'new', shown };
    const now = [...launchFields(launch, this.#shell), ...fileFields([...approved, ...added])];
    return { kind: 'changed', shown, changes: fieldChanges([...fields, ...fileFields(approved)], now) };
  }

  /** The user has said yes. @param launch and variables of its env file that they were shown; both may have changed while they read */
  async record(server: string, launch: ServerLaunch, variables: readonly string[] = []): Promise<void> {
    const fields = launchFields(launch, this.#shell);
    const record: TrustRecord = { id: randomUUID(), hash: launchHash(launch), fields, variables };
    await this.#store.update(KEPT_AS + server, record);
  }

  async revoke(server: string): Promise<void> {
    await this.#store.update(KEPT_AS + server, undefined);
  }

  /** Stands for one approval of a server. What the user allows the server or agents that call it is kept by it, and so ends with the approval. */
  grantKey(server: string): string {
    return JSON.stringify([...JSON.parse(server), this.#recordOf(server)?.id]);
  }

  #recordOf(server: string): TrustRecord | undefined {
    return this.#store.get<TrustRecord>(KEPT_AS + server);
  }

  #hashOf(launch: ServerLaunch): string {
    const hash = this.#hashes.get(launch) ?? launchHash(launch);
    this.#hashes.set(launch, hash);
    return hash;
  }
}

/** `true` stands for a value that is not shown: as a text it would be quoted. */
const fileFields = (variables: readonly string[]): FieldText[] =>
  variables.map((variable) => {
    if (variable === WITHOUT_SANDBOX) return ['sandbox', 'none'];
    const [, name = variable, value = true] = /^(.*?)=(.*)$/s.exec(variable) ?? [];
    return [`envFile.${name}`, fieldText(value)];
  });

/** Whether the approval still holds. @param store VS Code's global state. @param key from `Trust.grantKey`; one of another kind always holds */
export function holds(store: { get(key: string): unknown }, key: string): boolean {
  const parts = itemsOf(parsedJson(key));
  if (parts.length === 0) return true;
  return fieldsOf(store.get(KEPT_AS + JSON.stringify(parts.slice(0, -1)))).id === parts.at(-1);
}

/** The SHA-256 of what is started or connected to, with its variables as they are written, in hex. */
export const launchHash = (launch: ServerLaunch): string => fingerprint(launch);

/** What the user sees before a server is started or connected to. Invisible characters are escaped. */
export interface ShownLaunch {
  /** Whole, quoted for the user's shell, with variables as they are written. */
  commandLine?: string;
  /** Undefined for the workspace folder. */
  cwd?: string;
  envFile?: string;
  /** Whole, with variables as they are written. */
  url?: string;
  /** Host and port of the URL; undefined if a variable can change them. */
  host?: string;
  /** Variables of the environment, from `shownVariable`: other values may be secrets. */
  env: string[];
  /** What its sandbox allows and denies, as JSON; undefined if it asks for none. */
  sandbox?: string;
  /** Names of the headers that are sent. */
  headers: string[];
  /** The `${…}` that it uses, each once: where values from outside come in. */
  references: string[];
}

/** @param shell that the command line is quoted for */
export function shownLaunch(launch: ServerLaunch, shell: Shell): ShownLaunch {
  const texts = textsIn(launch).flatMap(([, text]) => references(text));
  const used = { references: [...new Set(texts)].map(allVisible) };
  if (!isStdio(launch)) {
    const { url, headers } = launch;
    const [start] = /^https?:\/\/[^\s/\\?#@$]+(?![^/?#])/i.exec(url) ?? [];
    const host = start && URL.parse(start)?.host;
    return {
      url: allVisible(url),
      ...(host && { host }),
      env: [],
      headers: Object.keys(headers).map(allVisible),
      ...used,
    };
  }
  const { command, args, cwd, env, envFile, sandboxEnabled, sandbox = {} } = launch;
  return {
    commandLine: allVisible(commandLine([command, ...args], shell)),
    ...(cwd && { cwd: allVisible(cwd) }),
    ...(envFile && { envFile: allVisible(envFile) }),
    ...(sandboxEnabled && { sandbox: allVisible(JSON.stringify(sandbox)) }),
    env: Object.entries(env).map(([name, value]) => allVisible(shownVariable(name, value))),
    headers: [],
    ...used,
  };
}

/**
 * The fields of a launch, to be kept with an approval and compared later. The command is one field, its whole line. Of values that
 * may be secrets there are only 8 digits of a hash.
 */
function launchFields(launch: ServerLaunch, shell: Shell): FieldText[] {
  if (!isStdio(launch)) {
    const { headers, ...rest } = launch;
    return [...fieldTexts(rest), ...hidden('headers', headers)];
  }
  const { command, args, env, ...rest } = launch;
  return [['command', commandLine([command, ...args], shell)], ...fieldTexts(rest), ...hidden('env', env)];
}

const hidden = (field: string, values: object): FieldText[] =>
  Object.entries(values).map(([name, value]) => [
    `${field}.${name}`,
    loadsCode(name) ? fieldText(value) : `#${fingerprint(value).slice(0, 8)}`,
  ]);
