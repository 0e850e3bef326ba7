import { randomBytes, randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import type { TokenOwner } from '../../server/http/gate.ts';
import { Emitter } from '../../util/emitter.ts';

const KEY = 'http.tokens';

/** The tokens of clients that come by HTTP: one a client, for all windows, in VS Code's secret storage. */
export class Tokens implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changes = new Emitter();
  readonly #listening: vscode.Disposable;
  #changed: Promise<void> = Promise.resolve();
  all: readonly TokenOwner[] = [];

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#listening = secrets.onDidChange(({ key }) => {
      if (key === KEY) void this.read();
    });
  }

  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  /** Reads what this or another window has stored. */
  async read(): Promise<readonly TokenOwner[]> {
    const stored = itemsOf(parsedJson((await this.#secrets.get(KEY)) ?? '[]'));
    this.all = stored.filter(isOwner);
    this.#changes.fire();
    return this.all;
  }

  /** Makes the token of a client. */
  async add(name: string): Promise<TokenOwner> {
    const owner = { id: randomUUID(), name, token: randomBytes(32).toString('base64url') };
    await this.#change((all) => [...all, owner]);
    return owner;
  }

  revoke(id: string): Promise<void> {
    return this.#change((all) => all.filter((one) => one.id !== id));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** One change after another: each begins with what the one before has stored. */
  #change(make: (all: readonly TokenOwner[]) => readonly TokenOwner[]): Promise<void> {
    const changed = this.#changed.then(async () => {
      await this.#secrets.store(KEY, JSON.stringify(make(await this.read())));
      await this.read();
    });
    this.#changed = changed.catch(() => {}); // told to who asked for it
    return changed;
  }
}

function isOwner(value: unknown): value is TokenOwner {
  const { id, name, token } = fieldsOf(value);
  return (
    typeof id === 'string' && typeof name === 'string' && typeof token === 'string' && token.length >= 32
  );
}
