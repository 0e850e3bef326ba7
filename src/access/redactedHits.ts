import type * as vscode from 'vscode';
import { UserError } from '../protocol/errors.ts';
import { decode, decodeUtf8 } from './decode.ts';
import { type Locator, locateUri } from './locate.ts';
import { openDocument } from './naming.ts';
import { MASK, type Redaction } from './redaction.ts';
import { around, type SearchLine } from './searchLines.ts';

/** Stands for redacted text while the query is tried again: no text has this character. */
const SEAL = '\uffff';
const SEAL_BYTES = Buffer.from(SEAL);
/** Larger files are left out where anything is redacted, in bytes. */
const LARGEST = 64 * 1024 * 1024;

/** What a search looks for, and by what: where the query matches each of some lines, in bytes of UTF-8. */
export interface Redacting {
  redaction: Redaction;
  contextLines: number;
  isMultiline: boolean;
  match(lines: readonly string[]): Promise<ReadonlyMap<number, readonly { start: number; end: number }[]>>;
}

/** A line with redacted text in it. */
interface Sealed extends SearchLine {
  sealed: string;
  /** Ripgrep has searched the same text. */
  isSame: boolean;
}

type Line = SearchLine | Sealed;

/**
 * Lines of a search without what is redacted. What is found must not depend on it, or an agent could guess it letter by letter:
 * a line with redacted text is a hit only where the query matches what the agent may see of it, apart from the mask. Files
 * that cannot be masked are left out, for the same reason: an error would tell that there was a hit.
 */
export class RedactedHits {
  readonly #locator: Locator;
  readonly #how: Redacting;
  readonly #lines: Line[] = [];
  /** Files with redacted text. */
  readonly #files = new Set<string>();

  constructor(locator: Locator, how: Redacting) {
    this.#locator = locator;
    this.#how = how;
  }

  /** Takes the lines of one file. @param bytes as ripgrep has searched them @param source where the text lies on the disk */
  async add(lines: readonly SearchLine[], bytes: Buffer, source?: vscode.Uri): Promise<void> {
    try {
      this.#lines.push(...(await this.#ofFile(lines, bytes, source)));
    } catch (error) {
      if (!(error instanceof UserError)) throw error; // left out
    }
  }

  /** All lines that may be shown. */
  async shown(): Promise<SearchLine[]> {
    const asked = this.#lines.filter((line) => 'sealed' in line && line.hit && line.isSame) as Sealed[];
    const matches = asked.length > 0 ? await this.#how.match(asked.map(({ sealed }) => sealed)) : new Map();
    const hits = new Map(asked.map((line, index) => [line as Line, firstApart(line, matches.get(index))]));
    const shown = this.#lines.map((line) => ('sealed' in line ? unsealed(line, hits.get(line)) : line));
    return this.#withoutStrayContext(shown);
  }

  async #ofFile(lines: readonly SearchLine[], bytes: Buffer, source?: vscode.Uri): Promise<Line[]> {
    if (bytes.length > LARGEST) return [];
    const plain = decodeUtf8(bytes);
    const text = (source ? await this.#textOf(source, bytes) : plain) ?? bytes.toString('latin1');
    const sealed = this.#how.redaction.mask(text, SEAL).split('\n');
    const asTheyAre = bytes.toString('latin1').split('\n');
    if (sealed.length !== asTheyAre.length) return [];
    if (!sealed.some((line) => line.includes(SEAL))) return [...lines];
    if (this.#how.isMultiline) return [];
    const [first] = lines;
    if (first) this.#files.add(first.path);
    return lines.flatMap((line): Line[] => {
      const at = (line.line ?? 0) - 1;
      const [now, raw] = [sealed[at]?.replace(/\r$/, '').replaceAll('\0', SEAL), asTheyAre[at]];
      if (now === undefined || raw === undefined) return [];
      if (now.includes(SEAL)) return [{ ...line, sealed: now, isSame: plain === text }];
      // The file may have changed since ripgrep read it: then the text is of another line.
      return line.piece && !raw.includes(line.piece.toString('latin1')) ? [] : [line];
    });
  }

  /** As it would be read. */
  async #textOf(source: vscode.Uri, bytes: Buffer): Promise<string | undefined> {
    const location = await locateUri(this.#locator, source.toString());
    const encoding = openDocument(this.#locator.vscode, location)?.encoding;
    return decode(this.#locator, location, bytes, encoding);
  }

  /** Lines around what is no hit after all would tell that there was one. */
  #withoutStrayContext(lines: readonly SearchLine[]): SearchLine[] {
    const { contextLines } = this.#how;
    const near = new Set<string>();
    for (const { path, line = 0, hit } of lines) {
      if (!hit || !this.#files.has(path)) continue;
      for (let one = line - contextLines; one <= line + contextLines; one++) near.add(`${one} ${path}`);
    }
    return lines.filter(({ path, line }) => !this.#files.has(path) || near.has(`${line} ${path}`));
  }
}

/**
 * Where the first match begins that neither holds nor touches redacted text: by an expression that looks no farther than the
 * next character, as all of ripgrep's do, the line has that match whatever the text is. In bytes.
 */
function firstApart(
  { sealed }: Sealed,
  matches: readonly { start: number; end: number }[] = [],
): number | undefined {
  const bytes = Buffer.from(sealed);
  const touches = ({ start, end }: { start: number; end: number }) => {
    const at = bytes.indexOf(SEAL_BYTES, Math.max(0, start - SEAL_BYTES.length));
    return at >= 0 && at <= end;
  };
  return matches.find((match) => !touches(match))?.start;
}

function unsealed({ path, line, sealed }: Sealed, hitAt: number | undefined): SearchLine {
  const shownOf = (text: string) => text.replaceAll(SEAL, MASK);
  const before = Buffer.from(sealed)
    .subarray(0, hitAt ?? 0)
    .toString('utf8');
  const { shown } = around(shownOf(sealed), Buffer.byteLength(shownOf(before)));
  return { path, line, text: shown, hit: hitAt !== undefined };
}
