import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { type FieldChange, type FieldText, fieldChanges, fieldText } from '../../core/fieldChanges.ts';
import type { Shell } from '../../core/shell.ts';
import type { Launch } from './definition.ts';
import { approvalKey, grantKey } from './grantKey.ts';
import { launchFields, launchHash, type ShownLaunch, shownLaunch } from './launchText.ts';

/** A server in the place where it is to run. */
export interface PlacedServer {
  /** URI of the workspace folder; of a server that belongs to none, the URI of the workspace or the empty window. */
  place: string;
  name: string;
  /** Where it is defined, from `placedIn`: a server of one source must not get what the user gave one of another. */
  source: string;
}

/** Identifies a server. Its approval, its secrets and what agents get of it are kept by it. */
export const serverKey = ({ place, name, source }: PlacedServer): string =>
  JSON.stringify([place, name, source]);

/** Whether a server may be started or connected to, and if not, what to ask the user. */
export type Verdict =
  | { kind: 'trusted' }
  /** The workspace is not trusted: nothing is to be asked either. */
  | { kind: 'restricted' }
  | { kind: 'new'; shown: ShownLaunch }
  /** The user approved another definition; `changes` has every difference, and for secrets only that they differ. */
  | { kind: 'changed'; shown: ShownLaunch; changes: FieldChange[] };

interface Approval {
  /** Unique, for `grantKey`. */
  id: string;
  hash: string;
  fields: FieldText[];
  /** What its env file set, from `shownOfFile`: anything else needs another approval. */
  variables?: readonly string[];
}

/** VS Code's global state: a repository can write files of the workspace, but not this. */
export type TrustStore = Pick<vscode.Memento, 'get' | 'update'>;

/** What the user has approved. An approval covers exactly one definition of one server of one source in one place. */
export class Trust {
  readonly #store: TrustStore;
  readonly #workspace: Pick<typeof vscode.workspace, 'isTrusted'>;
  readonly #shell: Shell;

  /** @param shell that command lines are quoted for */
  constructor(store: TrustStore, workspace: Pick<typeof vscode.workspace, 'isTrusted'>, shell: Shell) {
    this.#store = store;
    this.#workspace = workspace;
    this.#shell = shell;
  }

  /** To be asked directly before each start or connection. @param variables from `shownOfFile`, as far as the file was read */
  verdict(server: PlacedServer, launch: Launch, variables: readonly string[] = []): Verdict {
    if (!this.#workspace.isTrusted) return { kind: 'restricted' };
    const approval = this.#approvalOf(server);
    const added = this.unapproved(server, variables);
    if (approval?.hash === launchHash(launch) && added.length === 0) return { kind: 'trusted' };
    const shown = shownLaunch(launch, this.#shell);
    if (!approval) return { kind: 'new', shown };
    const { fields, variables: approved = [] } = approval;
    const now = [...launchFields(launch, this.#shell), ...fileFields([...approved, ...added])];
    return { kind: 'changed', shown, changes: fieldChanges([...fields, ...fileFields(approved)], now) };
  }

  /** Those of the variables of its env file that the user has not approved. */
  unapproved(server: PlacedServer, variables: readonly string[]): string[] {
    if (variables.length === 0) return [];
    const approved = this.#approvalOf(server)?.variables ?? [];
    return variables.filter((variable) => !approved.includes(variable));
  }

  /** The same as a verdict of `trusted`, but fast. @param hash from `launchHash` */
  isTrusted(server: PlacedServer, hash: string): boolean {
    return this.#workspace.isTrusted && this.#approvalOf(server)?.hash === hash;
  }

  /** The user has said yes. @param launch and variables of its env file that they were shown; both may have changed while they read */
  async approve(server: PlacedServer, launch: Launch, variables: readonly string[] = []): Promise<void> {
    const fields = launchFields(launch, this.#shell);
    await this.#keep(server, { id: randomUUID(), hash: launchHash(launch), fields, variables });
  }

  async revoke(server: PlacedServer): Promise<void> {
    await this.#keep(server, undefined);
  }

  /** Stands for a server and its approval: see `grantKey`. */
  grantKey(server: PlacedServer): string {
    return grantKey(serverKey(server), this.#approvalOf(server)?.id);
  }

  #approvalOf(server: PlacedServer): Approval | undefined {
    return this.#store.get<Approval>(approvalKey(serverKey(server)));
  }

  async #keep(server: PlacedServer, approval: Approval | undefined): Promise<void> {
    await this.#store.update(approvalKey(serverKey(server)), approval);
  }
}

/** `true` stands for a value that is not shown: as a text it would be quoted. */
const fileFields = (variables: readonly string[]): FieldText[] =>
  variables.map((variable) => {
    const [, name = variable, value = true] = /^(.*?)=(.*)$/s.exec(variable) ?? [];
    return [`envFile.${name}`, fieldText(value)];
  });
