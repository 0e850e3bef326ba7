import type * as vscode from 'vscode';
import { MOST_SECRETS, RedactedText, SHORTEST_SECRET } from '../../access/redaction/redactedText.ts';
import { REDACTED, type Redaction } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { cellsOfIpynb } from '../../core/notebook/ipynb.ts';
import { type NotebookCell, notebookText } from '../../core/notebook/notebookText.ts';
import { linesBetweenQuotes } from '../../core/text/jsonStrings.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { Location, Locator } from './location.ts';
import { cellsOf, openNotebook } from './notebooks.ts';
import { requireText } from './readContent.ts';

/** What is read, and what is said of it, as agents may see it. */
export class Redactor {
  readonly #locator: Locator;

  constructor(locator: Locator) {
    this.#locator = locator;
  }

  get redaction(): Redaction {
    return this.#locator.world.redaction();
  }

  /** Whether anything is redacted in what is read. */
  get isOn(): boolean {
    return !this.redaction.isOff;
  }

  /** A text that comes from elsewhere, such as a terminal; whole, for half a secret is not found. @param path of its file */
  text(text: string, path = ''): string {
    return this.redaction.of(path).redact(text);
  }

  /** Reads ranges, or lines (0-based), of a document. @throws UserError */
  partsOf(document: vscode.TextDocument): (place: vscode.Range | number) => string {
    const redaction = this.redaction.of(document.uri.path);
    const redacted = this.isOn ? new RedactedText(redaction, document.getText()) : undefined;
    return (place) => {
      const range = typeof place === 'number' ? document.lineAt(place).range : place;
      const text = document.getText(range);
      return redacted?.part(range, text) ?? text;
    };
  }

  /** By which is redacted what others say of a file: undefined where nothing is. @throws UserError */
  async redactedText(location: Location): Promise<RedactedText | undefined> {
    if (!this.isOn) return undefined;
    const redaction = this.redaction.of(location.path);
    redaction.require();
    try {
      return new RedactedText(redaction, await requireText(this.#locator, location));
    } catch (error) {
      if (error instanceof UserError) return new RedactedText(redaction, undefined);
      throw error;
    }
  }

  /** The same of one cell of a notebook. @throws UserError */
  redactedCell(document: vscode.TextDocument): RedactedText | undefined {
    return this.isOn ? new RedactedText(this.redaction, document.getText()) : undefined;
  }

  /** Reads the cells of a notebook as the person has them, by the text of its file; undefined where it is none. */
  notebook(location: Location): ((file: string) => string | undefined) | undefined {
    const open = openNotebook(this.#locator.vscode, location);
    if (open) return (file) => this.#readable(cellsOf(open), file);
    return location.uri.path.endsWith('.ipynb') ? (file) => this.notebookIn(file) : undefined;
  }

  /** The same of a notebook of Jupyter's, as it is in a file. Undefined where the text is none */
  notebookIn(json: string): string | undefined {
    const cells = cellsOfIpynb(json);
    return cells && this.#readable(cells, json);
  }

  /**
   * Each cell alone, as outputs are cut, and all of them, as what stands around a secret may be in another one; both without what
   * is redacted in the file, where they are spelled in another way.
   */
  #readable(cells: readonly NotebookCell[], file: string): string {
    const secrets = this.#secretsIn(withLf(file));
    const shown = (text: string) =>
      this.text(secrets.reduce((all, one) => all.replaceAll(one, REDACTED), text));
    const redacted = cells.map((cell) => ({
      ...cell,
      text: shown(cell.text),
      outputs: cell.outputs.map(({ type, text }) => ({
        type,
        ...(text !== undefined && { text: shown(text) }),
      })),
    }));
    return this.text(notebookText(redacted));
  }

  /** The longest first: another one may be a part of it. */
  #secretsIn(file: string): string[] {
    const spans = this.redaction.of('.ipynb').spans(file).slice(0, MOST_SECRETS);
    const lines = spans.flatMap(({ start, end }) => linesBetweenQuotes(file.slice(start, end)));
    const secrets = new Set(lines.filter(({ length }) => length >= SHORTEST_SECRET));
    return [...secrets].sort((a, b) => b.length - a.length);
  }
}
