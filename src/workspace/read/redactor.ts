import type * as vscode from 'vscode';
import { RedactedText } from '../../access/redaction/redactedText.ts';
import { REDACTED, type Redaction, requireNothingRedacted } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { cellsOfIpynb, type NotebookCell, notebookText } from '../../core/notebook/notebookText.ts';
import { withLf } from '../../core/text/replacements.ts';
import { missesRedacted } from './decode.ts';
import type { MakeRoom } from './diskFile.ts';
import { openNotebook } from './displayPath.ts';
import type { Location, Locator } from './location.ts';
import { cellsOf } from './notebooks.ts';
import { readContent, requireText, type ShownContent } from './readContent.ts';

/** Redacts text for agents, and messages about it. */
export class Redactor {
  readonly #locator: Locator;

  constructor(locator: Locator) {
    this.#locator = locator;
  }

  get redaction(): Redaction {
    return this.#locator.inputs.redaction;
  }

  /** Whether there are patterns. */
  get isOn(): boolean {
    return !this.redaction.isOff;
  }

  /** Redacts a text. Pass the whole text: half a secret is not found. @param path of its file */
  text(text: string, path = ''): string {
    return this.redaction.of(path).redact(text);
  }

  /** Redacts a JSON text; patterns are looked for in its unescaped strings, too. */
  json(text: string): string {
    return this.text(text, '.ipynb');
  }

  /** The content of a file as agents may see it. @throws UserError, NotFoundError */
  async read(location: Location, makeRoom?: MakeRoom): Promise<ShownContent> {
    const { path } = location;
    this.#locator.policy.requireOperation('read');
    this.redaction.require();
    const content = await readContent(this.#locator, location, makeRoom);
    if (content.kind === 'binary') requireNothingRedacted(this.redaction.of(path), path, content.bytes);
    if (content.kind !== 'text') return content;
    const { file: _, ...whole } = content;
    const text = this.text(content.text, path);
    const readNotebook = this.notebook(location);
    return {
      ...whole,
      text,
      ...(text !== content.text && { isRedacted: true }),
      ...(readNotebook && { notebook: () => readNotebook(content.text) }),
    };
  }

  /** As `text`, for a text that an extension decoded with the settings for its file. */
  async decoded(text: string, path: string, uri: vscode.Uri): Promise<string> {
    return (await missesRedacted(this.#locator, path, text, { uri })) ? REDACTED : this.text(text, path);
  }

  /** The same for a text in the encoding of its document. */
  async inDocument(text: string, path: string, document: vscode.TextDocument): Promise<string> {
    const plain = withLf(text);
    return (await missesRedacted(this.#locator, path, plain, document)) ? REDACTED : this.text(plain, path);
  }

  /** Returns a function that reads redacted ranges, or lines (0-based), of a document. @throws UserError */
  async partsOf(document: vscode.TextDocument): Promise<(place: vscode.Range | number) => string> {
    const { path } = document.uri;
    const text = document.getText();
    const isMissed = await missesRedacted(this.#locator, path, text, document);
    if (isMissed) return () => REDACTED;
    const redacted = this.isOn ? new RedactedText(this.redaction.of(path), text) : undefined;
    return (place) => {
      const range = typeof place === 'number' ? document.lineAt(place).range : place;
      const text = document.getText(range);
      return redacted?.part(range, text) ?? text;
    };
  }

  /**
   * Redacts messages about a file; undefined if there are no patterns and no file is closed to this agent.
   *
   * @throws UserError
   */
  async redactedText(location: Location): Promise<RedactedText | undefined> {
    if (!this.#judgesMessages) return undefined;
    const redaction = this.redaction.of(location.path);
    redaction.require();
    try {
      return new RedactedText(redaction, (await requireText(this.#locator, location)).text);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return new RedactedText(redaction, this.isOn ? undefined : '');
    }
  }

  /** The same for one cell of a notebook. @throws UserError */
  redactedCell(document: vscode.TextDocument): RedactedText | undefined {
    if (!this.#judgesMessages) return undefined;
    return new RedactedText(this.redaction, document.getText());
  }

  /** Messages of programs may quote any file: nothing has to be looked for if agents may see all of every file. */
  get #judgesMessages(): boolean {
    const { inputs, policy } = this.#locator;
    return !inputs.redaction.isOff || policy.closesFiles();
  }

  /** Returns a reader of a notebook's cells from its file's text or the open notebook; undefined if it is not a notebook. */
  notebook(location: Location): ((json: string) => string | undefined) | undefined {
    const open = openNotebook(this.#locator.vscode, location);
    if (open) return () => this.#readable(cellsOf(open));
    return location.uri.path.endsWith('.ipynb') ? (json) => this.notebookIn(json) : undefined;
  }

  /**
   * The cells of a Jupyter notebook; undefined if the text is not one. If redacting breaks the JSON, only the cells are
   * redacted.
   */
  notebookIn(json: string): string | undefined {
    const cells = cellsOfIpynb(this.json(json)) ?? cellsOfIpynb(json);
    return cells && this.#readable(cells);
  }

  /** Each cell and each whole output: outputs are cut later. */
  cells(cells: readonly NotebookCell[]): NotebookCell[] {
    return cells.map((cell) => ({
      ...cell,
      text: this.text(cell.text),
      outputs: cell.outputs.map(({ type, text }) => ({
        type,
        ...(text !== undefined && { text: this.text(text) }),
      })),
    }));
  }

  /** Redacts the cells again all together, as the text around a secret may be in another cell. */
  #readable(cells: readonly NotebookCell[]): string {
    return this.text(notebookText(this.cells(cells)));
  }
}
