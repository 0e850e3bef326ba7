import { isUtf8 } from 'node:buffer';
import type * as vscode from 'vscode';
import { RedactedText } from '../../access/redaction/redactedText.ts';
import { REDACTED, type Redaction, requireNothingRedacted } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { cellsOfIpynb, type NotebookCell, notebookText } from '../../core/notebook/notebookText.ts';
import { withLf } from '../../core/text/replacements.ts';
import { type MakeRoom, readDisk, requireReadable } from './diskFile.ts';
import { type Location, type Locator, openDocument, openNotebook } from './location.ts';
import { cellsOf } from './notebooks.ts';
import {
  isBinary,
  isWide,
  missesRedacted,
  readContent,
  requireText,
  type ShownContent,
} from './readContent.ts';

/** Redacts text for agents, and messages about it. */
export interface Redactor {
  readonly redaction: Redaction;
  /** Whether there are patterns. */
  readonly isOn: boolean;
  /** Redacts a text. Pass the whole text: half a secret is not found. @param path of its file */
  text(text: string, path?: string): string;
  /** Redacts a JSON text; patterns are looked for in its unescaped strings, too. */
  json(text: string): string;
  /** The content of a file as agents may see it. @throws UserError, NotFoundError */
  read(location: Location, makeRoom?: MakeRoom): Promise<ShownContent>;
  /**
   * Lines of a text file by their numbers (0-based); none of other files. Lines of the text in the editor, if it is open: that is
   * what language servers speak of.
   *
   * @throws UserError, NotFoundError
   */
  lines(location: Location, wanted: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** As `text`, for a text that an extension decoded with the settings for its file. */
  decoded(text: string, path: string, uri: vscode.Uri): Promise<string>;
  /** As `text`, for a text in the encoding of its document. */
  inDocument(text: string, path: string, document: vscode.TextDocument): Promise<string>;
  /** Returns a function that reads redacted ranges, or lines (0-based), of a document. @throws UserError */
  partsOf(document: vscode.TextDocument): Promise<(place: vscode.Range | number) => string>;
  /**
   * Redacts messages about a file; undefined if there are no patterns and no file is closed to this agent.
   *
   * @throws UserError
   */
  redactedText(location: Location): Promise<RedactedText | undefined>;
  /** As `redactedText`, for one cell of a notebook. @throws UserError */
  redactedCell(document: vscode.TextDocument): RedactedText | undefined;
  /** The cells of a Jupyter notebook; undefined if the text is not one. If redacting breaks the JSON, only the cells are redacted. */
  notebookIn(text: string): string | undefined;
  /** Each cell and each whole output: outputs are cut later. */
  cells(all: readonly NotebookCell[]): NotebookCell[];
}

export function redactorOf(locator: Locator): Redactor {
  const { vscode: code, inputs, policy } = locator;

  const redacted = (text: string, path = ''): string => inputs.redaction.of(path).redact(text);
  const json = (text: string): string => redacted(text, '.ipynb');

  /** Messages of programs may quote any file: nothing has to be looked for if agents may see all of every file. */
  const judgesMessages = (): boolean => !inputs.redaction.isOff || policy.closesFiles();

  async function read(location: Location, makeRoom?: MakeRoom): Promise<ShownContent> {
    const { path } = location;
    policy.requireOperation('read');
    inputs.redaction.require();
    const content = await readContent(locator, location, makeRoom);
    if (content.kind === 'binary') requireNothingRedacted(inputs.redaction.of(path), path, content.bytes);
    if (content.kind !== 'text') return content;
    const { file: _, ...whole } = content;
    const text = redacted(content.text, path);
    const readNotebook = notebook(location);
    return {
      ...whole,
      text,
      ...(text !== content.text && { isRedacted: true }),
      ...(readNotebook && { notebook: () => readNotebook(content.text) }),
    };
  }

  async function partsOf(document: vscode.TextDocument): Promise<(place: vscode.Range | number) => string> {
    const { path } = document.uri;
    const text = document.getText();
    const isMissed = await missesRedacted(locator, path, text, document);
    if (isMissed) return () => REDACTED;
    const { redaction } = inputs;
    const shown = redaction.isOff ? undefined : new RedactedText(redaction.of(path), text);
    return (place) => {
      const range = typeof place === 'number' ? document.lineAt(place).range : place;
      const text = document.getText(range);
      return shown?.part(range, text) ?? text;
    };
  }

  /** Returns a reader of a notebook's cells from its file's text or the open notebook; undefined if it is not a notebook. */
  function notebook(location: Location): ((json: string) => string | undefined) | undefined {
    const open = openNotebook(code, location);
    if (open) return () => readable(cellsOf(open));
    return location.uri.path.endsWith('.ipynb') ? notebookIn : undefined;
  }

  function notebookIn(text: string): string | undefined {
    const found = cellsOfIpynb(json(text)) ?? cellsOfIpynb(text);
    return found && readable(found);
  }

  const cells = (all: readonly NotebookCell[]): NotebookCell[] =>
    all.map((cell) => ({
      ...cell,
      text: redacted(cell.text),
      outputs: cell.outputs.map(({ type, text }) => ({
        type,
        ...(text !== undefined && { text: redacted(text) }),
      })),
    }));

  /** Redacts the cells again all together, as the text around a secret may be in another cell. */
  const readable = (all: readonly NotebookCell[]): string => redacted(notebookText(cells(all)));

  return {
    get redaction(): Redaction {
      return inputs.redaction;
    },
    get isOn(): boolean {
      return !inputs.redaction.isOff;
    },
    text: redacted,
    json,
    read,
    async lines(location: Location, wanted: readonly number[]): Promise<ReadonlyMap<number, string>> {
      policy.requireOperation('read');
      const linesFrom = (count: number, lineAt: (line: number) => string) =>
        new Map(wanted.filter((line) => line < count).map((line) => [line, lineAt(line)]));
      const document = openDocument(code, location);
      if (document) {
        requireReadable(location, document.getText().length);
        return linesFrom(document.lineCount, await partsOf(document));
      }
      const lines = await linesOnDisk(locator, location, wanted);
      if (lines) return lines;
      const content = await read(location);
      const all = content.kind === 'text' ? withLf(content.text).split('\n') : [];
      return linesFrom(all.length, (line) => all[line] ?? '');
    },
    decoded: async (text: string, path: string, uri: vscode.Uri): Promise<string> =>
      (await missesRedacted(locator, path, text, { uri })) ? REDACTED : redacted(text, path),
    async inDocument(text: string, path: string, document: vscode.TextDocument): Promise<string> {
      const plain = withLf(text);
      return (await missesRedacted(locator, path, plain, document)) ? REDACTED : redacted(plain, path);
    },
    partsOf,
    async redactedText(location: Location): Promise<RedactedText | undefined> {
      if (!judgesMessages()) return undefined;
      const redaction = inputs.redaction.of(location.path);
      redaction.require();
      try {
        return new RedactedText(redaction, (await requireText(locator, location)).text);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return new RedactedText(redaction, redaction.isOff ? '' : undefined);
      }
    },
    redactedCell: (document: vscode.TextDocument): RedactedText | undefined =>
      judgesMessages() ? new RedactedText(inputs.redaction, document.getText()) : undefined,
    notebookIn,
    cells,
  };
}

/**
 * Lines of a UTF-8 file that no editor has open, by their numbers (0-based). Only they are decoded: in a large file that takes ten
 * times as long as reading it.
 *
 * @returns undefined if the whole text has to be read for them: it is in another encoding, or redacted
 * @throws UserError, NotFoundError
 */
async function linesOnDisk(locator: Locator, location: Location, wanted: readonly number[]) {
  const { inputs } = locator;
  if (location.uri.scheme !== 'file') return undefined;
  const encoding = inputs.encoding(location.folder);
  if (!/^utf8(bom)?$/.test(encoding) || !inputs.redaction.of(location.path).isOff) return undefined;
  const bytes = (await readDisk(locator, location))?.bytes;
  if (!bytes || isWide(bytes) || isBinary(bytes) || !isUtf8(bytes)) return undefined;
  return decodedLines(bytes, wanted);
}

const LF = 10;
const CR = 13;
const utf8 = new TextDecoder(); // leaves out the byte order mark

function decodedLines(bytes: Uint8Array, wanted: readonly number[]): Map<number, string> {
  const left = wanted.toSorted((a, b) => a - b);
  const lines = new Map<number, string>();
  let [line, start] = [0, 0];
  for (let at = 0; at <= bytes.length && left.length > 0; at++) {
    while ((bytes[at] ?? 0) > CR) at++; // nearly all bytes
    const byte = bytes[at] ?? LF;
    const isEnd = byte === LF || (byte === CR && bytes[at + 1] !== LF);
    if (!isEnd) continue;
    const end = byte === LF && bytes[at - 1] === CR ? at - 1 : at;
    while (left[0] === line) lines.set(left.shift() as number, utf8.decode(bytes.subarray(start, end)));
    [line, start] = [line + 1, at + 1];
  }
  return lines;
}
