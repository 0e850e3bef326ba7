import type { Uri } from 'vscode';
import { KINDS } from '../../../../src/core/kinds.ts';
import { wordPattern } from '../../../../src/core/symbolPaths.ts';
import { type Position, Range } from '../../../fakes/text.ts';
import { openWindow, type Tree, type Window } from '../window.ts';

/**
 * A symbol as a server gives it, and those inside. Its place is `1-4`: its lines, 1-based; `1:9-4@4` begins at column 9, and has its
 * name on line 4.
 */
export type Given = readonly [kindAndName: string, place: string, ...inside: Given[]];

interface Server {
  /** By file. */
  symbols: Record<string, readonly Given[]>;
  /** Where the server leads from a line: `file:line word`, by `file:line`. */
  definitions?: Record<string, readonly string[]>;
  /** Whether it does not know where names are. */
  isFlat?: boolean;
}

/** A window with a server that answers as is given. */
export function withGiven(tree: Tree, { symbols, definitions = {}, isFlat = false }: Server): Window {
  const window = openWindow(tree);
  const { fake } = window;
  const fileOf = (uri: unknown) => Object.keys(tree).find((file) => `${uri}`.endsWith(`/${file}`)) ?? '';
  for (const file of Object.keys(symbols)) fake.extensions.installs(linesOf(window, file).languageId);
  fake.answers.set('vscode.executeDocumentSymbolProvider', (uri) => {
    const { lines } = linesOf(window, fileOf(uri));
    return (symbols[fileOf(uri)] ?? []).map((one) => symbolOf(one, lines, isFlat));
  });
  fake.answers.set('vscode.executeDefinitionProvider', (uri, position) => {
    const places = definitions[`${fileOf(uri)}:${(position as Position).line + 1}`] ?? [];
    return places.map((place) => locationOf(window, place));
  });
  return window;
}

function symbolOf([kindAndName, place, ...inside]: Given, lines: readonly string[], isFlat: boolean): object {
  const [kind = '', ...words] = kindAndName.split(' ');
  const name = words.join(' ');
  const [, first = '1', column = '1', last = first, named = first] =
    /^(\d+)(?::(\d+))?(?:-(\d+))?(?:@(\d+))?$/.exec(place) ?? [];
  const end = Number(last) - 1;
  const range = new Range(Number(first) - 1, Number(column) - 1, end, lines[end]?.length ?? 0);
  const bare = name.replace(/^.*(::|\.)/, '');
  return {
    name,
    detail: '',
    kind: KINDS.indexOf(kind),
    range,
    selectionRange: isFlat ? range : wordOn(lines, Number(named), bare),
    children: inside.map((one) => symbolOf(one, lines, isFlat)),
  };
}

/** A place that a server gives: `file:line word`. */
export function locationOf(window: Window, place: string): { uri: Uri; range: Range } {
  const [, file = '', line = '', word = ''] = /^(.+):(\d+) (.+)$/.exec(place) ?? [];
  const { lines } = linesOf(window, file);
  return { uri: window.fake.api.Uri.file(window.path(file)), range: wordOn(lines, Number(line), word) };
}

function wordOn(lines: readonly string[], line: number, word: string): Range {
  const at = Math.max(0, lines[line - 1]?.search(wordPattern(word)) ?? 0);
  return new Range(line - 1, at, line - 1, at + word.length);
}

function linesOf(window: Window, file: string) {
  const path = window.path(file);
  const { documents, person } = window.fake;
  const document = documents.find((one) => one.uri.fsPath === path) ?? person.loads(path);
  return { lines: document.getText().split('\n'), languageId: document.languageId };
}
