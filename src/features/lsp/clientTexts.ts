import type * as vscode from 'vscode';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { ifUserError, UserError } from '../../core/errors.ts';
import { type Fields, isObject } from '../../core/json.ts';
import { counted } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { urisIn } from '../../services/language/lsp/access.ts';
import type { TextPlace } from '../../util/lineMap.ts';
import type { ClientText, LineMaps } from '../../workspace/read/lineMaps.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';

/** A place is asked for, or would be edited, in lines that are not the same in the window and for the client. */
export class DifferingText extends UserError {
  override name = 'DifferingText';
}

/** `path` is as agents see it. */
type Differing = LineMaps & { path: string };

type Range = { start: TextPlace; end: TextPlace };

const isPlace = (value: unknown): value is TextPlace =>
  isObject(value) && typeof value.line === 'number' && typeof value.character === 'number';
const isRange = (value: unknown): value is Range =>
  isObject(value) && isPlace(value.start) && isPlace(value.end);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Clients apply edits by themselves. */
const HIDDEN = 'The edit has parts that are hidden from agents. Ask the user to make it in VS Code.';

/** What of a result is looked at: the file that its ranges are in, and whether it is edited there. */
interface About {
  uri: string;
  isEdit?: boolean;
}

/**
 * The texts that an LSP client has: those that it has opened, and for other files those of the disk. The window answers about its own
 * documents, which may have unsaved text, so places are mapped from the one to the other.
 */
export class ClientTexts {
  /** URIs, as the client spells them, of files of which its text has to be known. */
  readonly needed = new Set<string>();
  /** Places of a result whose lines the client does not have: they stand where those lines are. */
  #moved = 0;
  readonly #ctx: Context;
  readonly #open: ReadonlyMap<string, ClientText & { uri: string }>;
  readonly #differing = new Map<string, Differing | undefined>();

  constructor(ctx: Context, open: Record<string, string>, texts: Record<string, string> = {}) {
    this.#ctx = ctx;
    this.#open = new Map(
      Object.entries(open).map(([uri, hash]) => [this.#key(uri), { uri, hash, text: texts[uri] }]),
    );
  }

  isOpen(uri: vscode.Uri): boolean {
    return this.#open.has(`${uri}`);
  }

  /** As the client spells it, if it has that open. */
  spelling(uri: string): string {
    return this.#open.get(this.#key(uri))?.uri ?? uri;
  }

  get note(): string | undefined {
    if (this.#moved === 0) return undefined;
    return `${counted(this.#moved, 'place is', 'places are')} in unsaved lines of VS Code: the lines are told that stand there for you.`;
  }

  /** Whether the client has the text that VS Code would check. */
  async isSame(location: Location): Promise<boolean> {
    return (await this.#differingIn(`${location.uri}`)) === undefined;
  }

  /** The params of a request, for the window. @throws UserError if its place is in lines that differ */
  async toWindow(params: Fields): Promise<Fields> {
    const uri = uriIn(params);
    const differing = uri === undefined ? undefined : await this.#differingIn(uri);
    if (!differing) return params;
    const near = (value: unknown): unknown =>
      isPlace(value) ? differing.toWindow.near(value) : mapped(value, near);
    const same = (value: unknown, key = ''): unknown => {
      if (key === 'diagnostics' || key === 'range.item') return near(value);
      if (!isPlace(value))
        return mapped(value, (one, field) => same(one, key === 'item' ? `${field}.item` : field));
      const place = differing.toWindow.same(value);
      if (place) return place;
      throw new DifferingText(
        `${visible(differing.path)}:${value.line + 1} is another line in VS Code, where the file has other text than yours. Ask again once it is saved.`,
      );
    };
    return same(params) as Fields;
  }

  /**
   * A result of the window, for the client.
   *
   * @param params of the request, as the client sent them. @param isEdit whether its ranges are edited
   * @throws UserError if an edit is in lines that differ
   */
  async toClient(result: unknown, params: Fields, isEdit: boolean): Promise<unknown> {
    const asked = uriIn(params) ?? '';
    const uris = new Set([asked, ...urisIn(result)].filter(Boolean));
    for (const uri of uris) await this.#differingIn(uri);
    return this.#walk(result, { uri: asked, isEdit }, asked);
  }

  #walk(value: unknown, about: About, asked: string): unknown {
    if (isRange(value)) return this.#range(value, about);
    if (!isObject(value)) return mapped(value, (one) => this.#walk(one, about, asked));
    const { from, uri = about.uri, targetUri = uri } = value as Record<string, unknown>;
    const own: About = { ...about, uri: `${uri}` };
    return mapped(value, (one, key) => {
      if (key === 'uri' || key === 'targetUri') return this.spelling(`${one}`);
      if (key === 'changes' && isObject(one)) return this.#changes(one, asked);
      if (key === 'newText' && own.isEdit && `${one}`.includes(REDACTED)) throw new UserError(HIDDEN);
      if (key.startsWith('target')) return this.#walk(one, { uri: `${targetUri}` }, asked);
      if (key === 'originSelectionRange') return this.#walk(one, { uri: asked }, asked);
      if (key === 'fromRanges' && isObject(from)) return this.#walk(one, { uri: `${from.uri}` }, asked);
      const isEdit = own.isEdit || /^(textEdit|additionalTextEdits)$/.test(key);
      return this.#walk(one, { ...own, isEdit }, asked);
    });
  }

  #changes(changes: Fields, asked: string): Fields {
    const files = Object.entries(changes).map(([uri, edits]) => [
      this.spelling(uri),
      this.#walk(edits, { uri, isEdit: true }, asked),
    ]);
    return Object.fromEntries(files);
  }

  #range({ start, end }: Range, { uri, isEdit = false }: About): Range {
    const differing = this.#differing.get(this.#key(uri));
    if (!differing) return { start, end };
    const { toClient, path } = differing;
    const isSame = toClient.areSame(start.line, end.line);
    if (isEdit && !isSame)
      throw new DifferingText(
        `${visible(path)}:${start.line + 1} would be edited, where the file has other text in VS Code than yours. Ask again once it is saved.`,
      );
    if (!toClient.same(start)) this.#moved++;
    return { start: toClient.near(start), end: toClient.near(end) };
  }

  /** Undefined if the client has the window's text, or it is not known yet: see `needed`. */
  async #differingIn(uri: string): Promise<Differing | undefined> {
    const key = this.#key(uri);
    if (!this.#differing.has(key)) this.#differing.set(key, await this.#compare(uri));
    return this.#differing.get(key);
  }

  async #compare(uri: string): Promise<Differing | undefined> {
    const { files } = this.#ctx;
    const location = await files.locateUri(uri).catch(ifUserError(undefined));
    if (!location) return undefined;
    const client = this.#open.get(this.#key(uri));
    const maps = await files.lineMaps(location, client);
    if (maps === 'needed' && client) this.needed.add(client.uri);
    return maps && maps !== 'needed' ? { path: location.path, ...maps } : undefined;
  }

  #key(uri: string): string {
    const { Uri } = this.#ctx.vscode;
    return `${Uri.parse(uri)}`;
  }
}

/** The file of a request. */
function uriIn({ textDocument, item }: Fields): string | undefined {
  const { uri } = (textDocument ?? item ?? {}) as Fields;
  return textOf(uri);
}

/** A value with its items or fields replaced. */
function mapped(value: unknown, one: (value: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => one(item, ''));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, one(item, key)]));
}
