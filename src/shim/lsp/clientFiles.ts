import type { MessageConnection } from 'vscode-jsonrpc/node';
import { textHash } from '../../util/textHash.ts';
import type { Problems } from './problems.ts';

/** A `FileChangeType` of LSP. */
const DELETED = 3;
/** Changed files that are checked at once, besides those that the client has open or knows problems of. */
const MOST_OTHERS = 20;

interface Named {
  textDocument: { uri: string };
}

interface Opened {
  textDocument: { uri: string; text: string };
}

interface Changed extends Named {
  contentChanges: { text: string; range?: object }[];
}

interface FileChange {
  uri: string;
  type: number;
}

interface Folders {
  event: Record<'added' | 'removed', { uri: string }[]>;
}

interface Options {
  /** Undefined if none are pushed. */
  problems(): Problems | undefined;
  foldersChanged(): void;
  log(text: string): void;
}

/** The files and folders that a client names. */
export class ClientFiles {
  /** By URI. */
  readonly open = new Map<string, { text: string; hash: string }>();
  /** URIs. */
  readonly folders = new Set<string>();
  readonly #options: Options;

  constructor(connection: MessageConnection, options: Options) {
    this.#options = options;
    const on = <Params>(method: string, take: (params: Params) => void) =>
      connection.onNotification(method, take);
    on('textDocument/didOpen', ({ textDocument: { uri, text } }: Opened) => {
      this.#has(uri, text);
      options.problems()?.opened(uri);
    });
    on('textDocument/didChange', (params: Changed) => this.#changed(params));
    on('textDocument/didSave', ({ textDocument }: Named) => options.problems()?.changed(textDocument.uri));
    on('textDocument/didClose', ({ textDocument }: Named) => this.open.delete(textDocument.uri));
    on('workspace/didChangeWatchedFiles', ({ changes }: { changes: FileChange[] }) => this.#onDisk(changes));
    on('workspace/didChangeWorkspaceFolders', ({ event: { added, removed } }: Folders) => {
      for (const { uri } of added) this.folders.add(uri);
      // Without folders nothing would restrict what is answered.
      for (const { uri } of removed) if (this.folders.size > 1) this.folders.delete(uri);
      options.foldersChanged();
    });
  }

  #has(uri: string, text: string): void {
    this.open.set(uri, { text, hash: textHash(text) });
  }

  #changed({ textDocument: { uri }, contentChanges }: Changed): void {
    const { log, problems } = this.#options;
    const last = contentChanges.at(-1);
    if (last && !last.range) this.#has(uri, last.text);
    else if (this.open.delete(uri))
      log(`${uri} was changed in part, though this server takes whole texts: that of the disk counts.`);
    problems()?.changed(uri);
  }

  /** A branch that is checked out changes thousands of files. */
  #onDisk(changes: readonly FileChange[]): void {
    const problems = this.#options.problems();
    if (!problems) return;
    const isOwn = ({ uri }: FileChange) => this.open.has(uri) || problems.isKnown(uri);
    const others = changes.filter((one) => !isOwn(one));
    for (const { uri, type } of [...changes.filter(isOwn), ...others.slice(0, MOST_OTHERS)])
      if (type === DELETED) problems.deleted(uri);
      else problems.changed(uri);
    const left = others.length - MOST_OTHERS;
    if (left > 0)
      this.#options.log(`${left} of ${changes.length} changed files were not checked: too many at once.`);
  }
}
