import type * as vscode from 'vscode';
import type { RedactedText } from '../../../access/redaction/redactedText.ts';
import { ifUserError } from '../../../core/errors.ts';
import { type Fields, isObject } from '../../../core/json.ts';
import { inParallel } from '../../../util/queues.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';

const AT_ONCE = 8;

type Range = Pick<vscode.Range, 'start' | 'end'>;

/** The fields of LSP's types that name a file; a document link's target may be a web page. */
const isPlace = (key: string, value: unknown): value is string =>
  typeof value === 'string' && /^(uri|targetUri|target)$/.test(key) && !/^(https?|mailto):/i.test(value);

/** The URIs of all places, and of the files that an edit changes. */
export function urisIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(urisIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (isPlace(key, one)) return [one];
    return [...(key === 'changes' && isObject(one) ? Object.keys(one) : []), ...urisIn(one)];
  });
}

async function locationsIn(result: unknown, files: Files): Promise<Map<string, Location>> {
  const located = await inParallel([...new Set(urisIn(result))], AT_ONCE, async (uri) => {
    const location = await files.locateUri(uri).catch(ifUserError(undefined));
    return location ? [[uri, location] as const] : [];
  });
  return new Map(located.flat());
}

/** An object without these is nothing, except for a part of an inlay hint's label, which has text too. */
const isNeeded = (key: string, { value }: Fields): boolean =>
  /^(location|from|to)$/.test(key) && value === undefined;

/** Links in Markdown that only VS Code can follow: they may name closed files. */
const LINKS = /(?<=\])\((file|command|vscode[\w-]*):[^)]*\)|<(file|command):[^>]*>/gi;

/** Without such links, and arguments of VS Code's commands, which may also be circular. */
function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([key, one]) => one !== undefined && key !== 'arguments');
  const named = Object.fromEntries(fields.map(([key, one]) => [key, withoutNames(one)]));
  return named.kind === 'markdown' ? { ...named, value: `${named.value}`.replace(LINKS, '') } : named;
}

/** A result without places in files that are closed to this agent, which are counted, and without what may name such files. */
export async function openResult(result: unknown, files: Files): Promise<{ open: unknown; closed: number }> {
  const named = withoutNames(result);
  const locations = await locationsIn(named, files);
  let closed = 0;
  const openIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(openIn).filter((one) => one !== undefined);
    if (!isObject(value)) return value;
    const fields = Object.entries(value);
    if (fields.some(([key, one]) => isPlace(key, one) && !locations.has(one))) {
      closed++;
      return undefined;
    }
    const open = fields.map(([key, one]) => [key, openIn(one)] as const);
    if (open.some(([key, one]) => one === undefined && isNeeded(key, value))) return undefined;
    return Object.fromEntries(open.filter(([, one]) => one !== undefined));
  };
  return { open: openIn(named), closed };
}

/** What strings of a result are about. */
interface About {
  text: RedactedText | undefined;
  range: Range;
  /** The range of the name, if it is a part of `range`. */
  name?: Range;
}

/** These are words of LSP and VS Code. */
const KEPT = /^(kind|command|tokenTypes|tokenModifiers)$/;

/**
 * A result with its strings redacted, each as a message about its range in its file.
 *
 * @param place of the request, for strings without a range
 * @throws UserError
 */
export async function redactedResult(
  result: unknown,
  location: Location | undefined,
  place: Range,
  files: Files,
): Promise<unknown> {
  const { redactor } = files;
  const located = [...(await locationsIn(result, files))];
  const texts = new Map(
    await inParallel(
      located,
      AT_ONCE,
      async ([uri, one]) => [uri, await redactor.redactedText(one)] as const,
    ),
  );
  const redact = (value: unknown, about: About, key = ''): unknown => {
    if (typeof value === 'string')
      return KEPT.test(key) || isPlace(key, value)
        ? value
        : (said(value, about, key) ?? redactor.text(value));
    if (Array.isArray(value)) return value.map((one) => redact(one, about, key));
    if (!isObject(value)) return value;
    const inside = aboutOf(value, about, texts);
    return Object.fromEntries(
      Object.entries(value).map(([field, one]) => {
        const text = texts.get(field); // a file of an edit
        return [field, redact(one, text ? { ...inside, text } : inside, field)];
      }),
    );
  };
  return redact(result, { text: location && (await redactor.redactedText(location)), range: place });
}

const said = (value: string, { text, range, name = range }: About, key: string): string | undefined =>
  key === 'name' ? text?.named(value, name) : text?.said(value, range);

function aboutOf(value: Fields, outer: About, texts: ReadonlyMap<string, RedactedText | undefined>): About {
  const { location, position, selectionRange, uri } = value;
  const { uri: at = uri, range = value.range } = (location ?? {}) as Fields;
  const own = range ?? (position && { start: position, end: position });
  return {
    text: typeof at === 'string' && texts.has(at) ? texts.get(at) : outer.text,
    range: (own as Range | undefined) ?? outer.range,
    ...(isObject(selectionRange) && { name: selectionRange as unknown as Range }),
  };
}

/**
 * Completions without words of files that this agent may not have seen: if no language server has any, VS Code takes the words of
 * other open files.
 *
 * @throws UserError
 */
export async function withoutForeignWords(
  result: unknown,
  location: Location,
  files: Files,
): Promise<unknown> {
  const TEXT = 1; // LSP's CompletionItemKind
  if (!isObject(result) || !Array.isArray(result.items)) return result;
  const isWord = ({ kind }: Fields) => kind === TEXT;
  if (!result.items.some(isWord)) return result;
  const content = await files.read(location);
  const text = content.kind === 'text' ? content.text : '';
  return { ...result, items: result.items.filter((one) => !isWord(one) || text.includes(one.label)) };
}

/** Completions and signatures without their documentation: it may be that of a closed file, and nothing tells of which file it is. */
export function withoutDocumentation(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(withoutDocumentation);
  if (!isObject(result)) return result;
  const fields = Object.entries(result).filter(([key]) => key !== 'documentation');
  return Object.fromEntries(fields.map(([key, one]) => [key, withoutDocumentation(one)]));
}
