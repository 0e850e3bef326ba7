import { REDACTED } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
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

/** A file that is named, and how its text differs. `uri` is as the client spells it, `version` that of the document. */
interface Named {
  uri: string;
  path: string;
  version: number | undefined;
  maps: LineMaps | undefined;
}

type Range = { start: TextPlace; end: TextPlace };

const isPlace = (value: unknown): value is TextPlace =>
  isObject(value) && typeof value.line === 'number' && typeof value.character === 'number';
const isRange = (value: unknown): value is Range =>
  isObject(value) && isPlace(value.start) && isPlace(value.end);

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
  /** By the URI of their locations: VS Code may spell a URI in another way than the client, or reach the file by a link. */
  readonly #open = new Map<string, ClientText & { uri: string }>();
  /** By URI, however it is spelled. */
  readonly #named = new Map<string, Named | undefined>();

  private constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** @param open by URI the hash of the text. @param texts those of some, by the same URI */
  static async of(
    ctx: Context,
    open: Record<string, string>,
    texts: Record<string, string> = {},
  ): Promise<ClientTexts> {
    const all = new ClientTexts(ctx);
    const locating = Object.entries(open).map(async ([uri, hash]) => {
      const location = await all.#locate(uri);
      if (location) all.#open.set(`${location.uri}`, { uri, hash, text: texts[uri] });
    });
    await Promise.all(locating);
    return all;
  }

  isOpen({ uri }: Location): boolean {
    return this.#open.has(`${uri}`);
  }

  /** As the client spells it, if it has that open. */
  spelling({ uri }: Location): string {
    return this.#open.get(`${uri}`)?.uri ?? `${uri}`;
  }

  get note(): string | undefined {
    if (this.#moved === 0) return undefined;
    return `${counted(this.#moved, 'place is', 'places are')} in unsaved lines of VS Code: the lines are told that stand there for you.`;
  }

  /** Whether the client has the text that VS Code has. */
  async isSame(location: Location): Promise<boolean> {
    const client = this.#open.get(`${location.uri}`);
    const maps = await this.#ctx.files.lineMaps(location, client);
    if (maps === 'needed' && client) this.needed.add(client.uri);
    return maps === undefined;
  }

  /** @throws DifferingText if the client has other text of a file than the window: the answer would lack what only it has */
  async requireSame(uris: Iterable<string> = this.#openUris()): Promise<void> {
    for (const uri of uris) {
      const { maps, path = uri } = (await this.#name(uri)) ?? {};
      if (maps) throw new DifferingText(`${visible(path)} has other text in VS Code than yours. ${SAVE}`);
    }
  }

  *#openUris(): Iterable<string> {
    for (const { uri } of this.#open.values()) yield uri;
  }

  /** The params of a request, for the window. @throws UserError if its place is in lines that differ */
  async toWindow(params: Fields): Promise<Fields> {
    const { path = '', maps } = (await this.#name(uriIn(params))) ?? {};
    if (!maps) return params;
    const near = (value: unknown): unknown =>
      isPlace(value) ? maps.toWindow.near(value) : mapped(value, near);
    const same = (value: unknown, key = ''): unknown => {
      if (key === 'diagnostics' || key === 'range.item') return near(value);
      if (!isPlace(value))
        return mapped(value, (one, field) => same(one, key === 'item' ? `${field}.item` : field));
      const place = maps.toWindow.same(value);
      if (place) return place;
      throw new DifferingText(
        `${visible(path)}:${value.line + 1} is another line in VS Code, where the file has other text than yours. ${SAVE}`,
      );
    };
    return same(params) as Fields;
  }

  /** @throws DifferingText if the text that was asked about has changed after `toWindow` */
  async requireUnchanged(params: Fields): Promise<void> {
    const asked = uriIn(params);
    const before = await this.#name(asked);
    const isChanged = before?.version !== undefined && before.version !== (await this.#look(asked))?.version;
    if (isChanged)
      throw new DifferingText(`${visible(before.path)} was changed in VS Code meanwhile. Ask again.`);
  }

  /**
   * A result of the window, for the client.
   *
   * @param params of the request, as the client sent them. @param isEdit whether its ranges are edited
   * @throws UserError if an edit is in lines that differ
   */
  async toClient(result: unknown, params: Fields, isEdit: boolean): Promise<unknown> {
    const asked = uriIn(params);
    for (const uri of urisIn(result)) await this.#name(uri);
    return this.#walk(result, { uri: asked, isEdit }, asked);
  }

  #walk(value: unknown, about: About, asked: string): unknown {
    if (isRange(value)) return this.#range(value, about);
    if (!isObject(value)) return mapped(value, (one) => this.#walk(one, about, asked));
    const { from, uri = about.uri, targetUri = uri } = value as Record<string, unknown>;
    const own: About = { ...about, uri: `${uri}` };
    return mapped(value, (one, key) => {
      if (key === 'uri' || key === 'targetUri') return this.#named.get(`${one}`)?.uri ?? one;
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
      this.#named.get(uri)?.uri ?? uri,
      this.#walk(edits, { uri, isEdit: true }, asked),
    ]);
    return Object.fromEntries(files);
  }

  #range({ start, end }: Range, { uri, isEdit = false }: About): Range {
    const { path = '', maps } = this.#named.get(uri) ?? {};
    if (!maps) return { start, end };
    const { toClient } = maps;
    if (isEdit && !toClient.areSame(start.line, end.line))
      throw new DifferingText(
        `${visible(path)}:${start.line + 1} would be edited, where the file has other text in VS Code than yours. ${SAVE}`,
      );
    if (!toClient.same(start)) this.#moved++;
    return { start: toClient.near(start), end: toClient.near(end) };
  }

  /** Undefined if it is no open file. */
  async #name(uri: string): Promise<Named | undefined> {
    if (!this.#named.has(uri)) this.#named.set(uri, await this.#look(uri));
    return this.#named.get(uri);
  }

  async #look(uri: string): Promise<Named | undefined> {
    const location = await this.#locate(uri);
    if (!location) return undefined;
    const { files } = this.#ctx;
    const client = this.#open.get(`${location.uri}`);
    const maps = await files.lineMaps(location, client);
    if (maps === 'needed' && client) this.needed.add(client.uri);
    return {
      uri: this.spelling(location),
      path: location.path,
      version: files.openDocument(location)?.version,
      maps: maps === 'needed' ? undefined : maps,
    };
  }

  /** Undefined for what is no file that this agent may know: clients have others open, too. */
  #locate(uri: string): Promise<Location | undefined> {
    return this.#ctx.files.locateUri(uri).catch(() => undefined);
  }
}

const SAVE = 'Ask again once it is saved.';

/** The file of a request; empty without one. */
function uriIn({ textDocument, item }: Fields): string {
  const { uri } = (textDocument ?? item ?? {}) as Fields;
  return typeof uri === 'string' ? uri : '';
}

/** A value with its items or fields replaced. */
function mapped(value: unknown, one: (value: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => one(item, ''));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, one(item, key)]));
}
