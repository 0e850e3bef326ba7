/** What the user sees of a call: its name, and what it is about. */
import { type Fields, fieldsOf } from '../core/json.ts';

/** The most informative argument, by the parameter names of our tools; else the first one. */
export function aboutOf(method: string, params: Fields): string {
  if (method !== 'tools/call') return brief(params.uri ?? params.text);
  const given = (params.arguments ?? {}) as Record<string, unknown>;
  for (const name of ['path', 'paths', 'symbol', 'query', 'command']) {
    if (given[name] !== undefined) return brief(given[name]);
  }
  if (typeof given.patch === 'string') return brief(pathsOf(given.patch.slice(0, MOST_READ)));
  for (const name in given) return brief(given[name]);
  return '';
}

/** What an LSP client has asked for. */
export const lspMethodIn = ({ arguments: given }: Fields): string => `${fieldsOf(given).method}`;

/** The name of the file that an LSP client asks about; empty without one. */
export function fileAskedAbout({ arguments: given }: Fields): string {
  const { textDocument, item } = fieldsOf(fieldsOf(given).params);
  const { uri = '' } = fieldsOf(textDocument ?? item);
  return `${uri}`.replace(/^.*\//, '');
}

/** The files of a patch, in either form. */
const pathsOf = (patch: string): string[] => {
  const lines = patch.matchAll(
    /^(?:\*\*\* (?:Update|Add|Delete) File:|\+\+\+|---) (?:[ab]\/)?([^\t\r\n]+)/gm,
  );
  return [...new Set([...lines].map(([, path = '']) => path))].filter((path) => path !== '/dev/null');
};

/** UTF-16 units of a short text, and of a patch that are looked at. */
const LONGEST = 200;
const MOST_READ = 20_000;

/** A short text; for an array, its first item. One level only, because an agent may nest values deeply. */
export function brief(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value;
  const more = Array.isArray(value) && value.length > 1 ? ` +${value.length - 1}` : '';
  if (typeof first === 'number' || typeof first === 'boolean') return `${first}${more}`;
  if (typeof first !== 'string') return '';
  // A slice would keep the whole text in memory, so copy.
  const short = first.length > LONGEST ? `${Buffer.from(first.slice(0, LONGEST)).toString()}…` : first;
  return short + more;
}
