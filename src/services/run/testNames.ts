/**
 * Names of tests by their ids, which is all that VS Code tells before they have run. Some extensions make ids of names, some put the
 * file before them (Python: its absolute path, then `::TestA::test_b[1]`, or backslashes), and some number their tests (Vitest: `-12345_0_1`).
 */
import type * as vscode from 'vscode';
import { oncePer } from '../../util/once.ts';

/** The id of a test is its way from the controller down. */
export const SEPARATOR = '\0';

interface Known {
  label: string;
  /** 1-based. */
  line?: number;
}

const knownTo = oncePer((_: typeof vscode) => new Map<string, Known>());

/** Keeps what the result of a run tells of a test. */
export function rememberTest(code: typeof vscode, id: string, one: Known): void {
  knownTo(code).set(id, one);
}

/** The last part of an id, which most extensions make of the test's name. */
export const lastOf = (id: string): string => id.slice(id.lastIndexOf(SEPARATOR) + 1);

export interface NamedTest {
  id: string;
  name: string;
  /** The name of its function, without its class and parameters. */
  own: string;
  /** As people read it: without the controller, folders and the file. */
  way: string;
  line?: number;
  /** Its extension numbers it, and its name is told by its first run. */
  isNumber: boolean;
}

/** @param file that the tests are in */
export function namedTest(code: typeof vscode, id: string, file?: vscode.Uri): NamedTest {
  const parts = id.split(SEPARATOR);
  const names = parts.map((part, at) => {
    const label = knownTo(code).get(parts.slice(0, at + 1).join(SEPARATOR))?.label;
    return label ?? withoutFile(part, file?.fsPath ?? '');
  });
  const name = names.at(-1) || lastOf(id).replace(/^.*[\\/]/s, '');
  const above = names.slice(1, -1).filter((one) => one !== '' && !name.startsWith(one));
  const line = knownTo(code).get(id)?.line;
  const isNumber = /^-?\d+(_\d+)*$|^[\da-f-]{16,}$/.test(name);
  const [own = ''] = /[^:\\/#]*$/.exec(name.replace(/[[(].*$/s, '')) ?? [];
  return { id, name, own: own || name, way: [...above, name].join(' > '), isNumber, ...(line && { line }) };
}

/** Empty for the file itself, and for a folder that it is in. */
function withoutFile(part: string, file: string): string {
  if (file === '' || !/[\\/]/.test(part)) return part;
  const [own, path] = [part.toLowerCase(), file.toLowerCase()]; // a drive has letters of both cases
  const at = own.indexOf(path);
  if (at >= 0) return part.slice(at + path.length).replace(/^\W+/, '');
  return path.startsWith(own.replace(/^file:\/\//, '')) ? '' : part;
}

/** Tests that a line of code names by their name or function, with any parameters. A line with "adds" contains "add" too. */
export function namedIn(code: string, all: readonly NamedTest[]): NamedTest[] {
  const isIn = (text: string) => text !== '' && code.includes(text);
  const found = all.filter(({ name, own, isNumber }) => !isNumber && (isIn(name) || isIn(own)));
  const isLonger = (one: NamedTest, other: NamedTest) => one.own !== other.own && other.own.includes(one.own);
  return found.filter((one) => !found.some((other) => isIn(other.own) && isLonger(one, other)));
}
