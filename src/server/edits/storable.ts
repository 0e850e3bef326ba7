import type * as vscode from 'vscode';
import { agentPolicy } from '../../access/policy.ts';
import { AccessInputs, isUnnamed, policyPath } from '../../access/policyInputs.ts';
import { holdsRedacted } from '../../access/redaction/redaction.ts';
import { type Deed, type Entry, isEdit } from '../../workspace/edit/journal.ts';

/** A file, and texts or bytes of it. */
type Part = readonly [uri: vscode.Uri, ...contents: (string | Uint8Array | undefined)[]];

/** Leaves out what may not be stored: texts of files that are closed to agents, and texts in which something is redacted. */
export class Storable implements vscode.Disposable {
  readonly #inputs: AccessInputs;
  readonly #subscription: vscode.Disposable;
  /** Verdicts by the present rules. */
  #judged = new WeakMap<object, Promise<boolean>>();

  /**
   * @param editorData directories in which VS Code keeps settings, state and extensions
   * @param onDidChange called when the rules change
   */
  constructor(code: typeof vscode, editorData: readonly string[], onDidChange: () => void) {
    this.#inputs = new AccessInputs(code, editorData);
    this.#subscription = code.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('workspaceMcp.access')) return;
      this.#judged = new WeakMap();
      onDidChange();
    });
  }

  /** The same entries without such texts. */
  async of(entries: readonly Entry[]): Promise<Entry[]> {
    const all: Entry[] = [];
    for (const entry of entries)
      if (isEdit(entry))
        all.push({ ...entry, deeds: await Promise.all(entry.deeds.map((deed) => this.#deed(deed))) });
      else if (!entry.part || (await this.#may(entry, [[entry.uri, entry.part.before, entry.part.after]])))
        all.push(entry);
    return all;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#inputs.dispose();
  }

  async #deed(deed: Deed): Promise<Deed> {
    const { uri, path } = deed;
    if (deed.type === 'edit')
      return (await this.#may(deed, [[uri, deed.before, deed.after]]))
        ? deed
        : { type: 'unstored', uri, path };
    if (!('files' in deed) || !deed.files) return deed;
    const parts = deed.files.map((file) => [file.uri, file.bytes] as const);
    return (await this.#may(deed, parts)) ? deed : { ...deed, files: undefined };
  }

  #may(entry: object, parts: readonly Part[]): Promise<boolean> {
    const known = this.#judged.get(entry);
    if (known) return known;
    const judged = Promise.all(parts.map((part) => this.#isOpen(part))).then(
      (all) => all.every(Boolean),
      () => false, // a pattern is broken or too slow, or the disk does not answer
    );
    this.#judged.set(entry, judged);
    return judged;
  }

  /** @throws UserError if a pattern is broken or too slow */
  async #isOpen([uri, ...contents]: Part): Promise<boolean> {
    if (!isUnnamed(uri) && (await this.#isClosed(uri))) return false;
    const redaction = this.#inputs.redaction.of(uri.path);
    return !contents.some((content = '') =>
      typeof content === 'string' ? redaction.spans(content).length > 0 : holdsRedacted(redaction, content),
    );
  }

  async #isClosed(uri: vscode.Uri): Promise<boolean> {
    const policy = agentPolicy(this.#inputs, { paths: undefined });
    const path = policyPath(uri);
    if (!policy.mayList(path)) return true;
    return (
      uri.scheme === 'file' && policy.closedAsReal((await this.#inputs.resolve(path)).realPath) !== undefined
    );
  }
}
