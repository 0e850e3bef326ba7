/** Searches the unescaped strings of a JSON text. */
import { parsedJson } from '../../core/json.ts';

/** A part of a text, in UTF-16 units, `end` excluded. */
export interface Span {
  start: number;
  end: number;
}

const STRINGS = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/g;
const UNITS = /\\u[\da-f]{4}|\\?[\s\S]/gi;

/**
 * Searches the unescaped strings of a JSON text, joined as lines, and returns the matches as places in the JSON text. Strings that
 * end with a newline are lines of one text.
 *
 * @param find returns sorted places that do not touch
 */
export function placesInStrings(json: string, find: (text: string) => readonly Span[]): Span[] {
  const strings = [...json.matchAll(STRINGS)].map(({ 1: raw = '', index }) => ({ raw, index }));
  const texts = strings.map(({ raw }) => readString(raw));
  const found = find(texts.map((text) => text + endOf(text)).join(''));
  let [from, next] = [0, 0];
  return strings.flatMap(({ raw, index }, at) => {
    const text = texts[at] ?? '';
    const units = text === raw ? undefined : raw.match(UNITS);
    const placeOf = (unit: number) => index + 1 + (units ? units.slice(0, unit).join('').length : unit);
    const places: Span[] = [];
    while ((found[next]?.end ?? Number.POSITIVE_INFINITY) <= from) next++;
    for (let one = next; (found[one]?.start ?? Number.POSITIVE_INFINITY) < from + text.length; one++) {
      const { start, end } = found[one] as Span;
      const last = Math.min(end - from, text.length);
      places.push({ start: placeOf(Math.max(0, start - from)), end: placeOf(last) });
    }
    from += text.length + endOf(text).length;
    return places;
  });
}

const endOf = (text: string): string => (text.endsWith('\n') ? '' : '\n');

/** The unescaped string with `\n` line ends; unchanged if it is not valid JSON. @param raw without its quotes */
function readString(raw: string): string {
  if (!raw.includes('\\')) return raw;
  const read = parsedJson(`"${raw}"`);
  return typeof read === 'string' ? read.replace(/\r(?!\n)/g, '\n') : raw;
}
