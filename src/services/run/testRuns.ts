/**
 * The tests of the extensions that the user has installed. VS Code has no API for their results: one of its commands answers
 * with them, and its tool `testFailure` has what was expected. Both may change, so that what they give is taken by its shape.
 */
import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import { delay, within } from '../../util/clock.ts';
import { rememberTest, SEPARATOR } from './testNames.ts';

/** Milliseconds in which extensions find tests that they have not looked for yet. */
const FINDING = 6_000;
/** In which VS Code passes on tests that their extension has found just now. */
const COMING = 900;
const BETWEEN = 300;
/** For the details of failures, in milliseconds. */
const DETAILS = 5_000;

/** VS Code's TestResultState. */
const STATES = ['not run', 'queued', 'running', 'passed', 'failed', 'skipped', 'errored'] as const;

/** Between its parts in what tells of failures. */
const WAY = ' > ';

export interface TestOutcome {
  /** The parts of its id, without its controller: hashes or paths with some extensions. */
  id: string;
  /** Its names, the outermost first. */
  names: readonly string[];
  state: (typeof STATES)[number];
  /** In milliseconds. */
  duration?: number;
  uri?: vscode.Uri;
  /** 1-based. */
  line?: number;
}

/** A test that has failed, in the words of VS Code's own tool. */
export interface TestFailure {
  /** As that of its outcome. */
  id: string;
  name: string;
  /** What was expected and what came, or the message; then the stack. */
  text: string;
  /** The test is in a file that is closed to the agent. */
  isClosed?: boolean;
}

/** Ids of the tests in a file that VS Code knows, or of the extensions that have tests. Looks for no others, but waits for those that just come. */
export const testsKnown = (
  code: typeof vscode,
  file: vscode.Uri | undefined,
  signal: AbortSignal,
): Promise<string[]> => testsWithin(COMING, code, file, signal);

/**
 * Ids of tests. If none are known, extensions look for tests, which may run code of the workspace: only if the user has allowed it.
 *
 * @returns none if none are found in time
 */
export async function findTests(
  code: typeof vscode,
  file: vscode.Uri | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const known = await testsWithin(0, code, file, signal);
  if (known.length > 0) return known;
  code.commands.executeCommand('testing.refreshTests').then(undefined, () => {}); // no extension can
  return await testsWithin(FINDING, code, file, signal);
}

async function testsWithin(
  ms: number,
  { commands: { executeCommand } }: typeof vscode,
  file: vscode.Uri | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  for (let waited = 0; ; waited += BETWEEN) {
    const found = file
      ? await executeCommand('vscode.testing.getTestsInFile', file)
      : await executeCommand('vscode.testing.getControllersWithTests');
    const ids = itemsOf(found).map((id) => (Array.isArray(id) ? id.join(SEPARATOR) : String(id)));
    if (ids.length > 0 || waited >= ms) return ids;
    await delay(BETWEEN, signal);
  }
}

/**
 * Runs all tests of a file or folder, and resolves at their end: VS Code's command takes one.
 *
 * @returns undefined if there are none, or VS Code does not tell what came of them, as older versions do
 */
export async function runTestsOf(
  code: typeof vscode,
  place: vscode.Uri,
  withCoverage: boolean,
): Promise<TestOutcome[] | undefined> {
  const { commands, Uri } = code;
  const command = withCoverage ? 'testing.coverage.uri' : 'testing.run.uri';
  const result = fieldsOf(await commands.executeCommand(command, place));
  if (!Array.isArray(result.items)) return undefined;
  const items = itemsOf(result.items).map(fieldsOf);
  const facts = items.map(({ item }) => fieldsOf(item));
  for (const { extId, label, range } of facts) {
    const line = fieldsOf(range).startLineNumber;
    rememberTest(code, String(extId), { label: String(label), ...(typeof line === 'number' && { line }) });
  }
  const labels = new Map(facts.map(({ extId, label }) => [String(extId), String(label)]));
  const outcomes = items.map((item) => outcomeOf(item, labels, Uri));
  return outcomes.filter(({ state }) => state !== 'not run');
}

/**
 * Failures of the last run; undefined if this version of VS Code does not tell them.
 *
 * @param isClosed whether a file is closed to the agent: what was thrown there is left out of the texts
 */
export async function lastFailures(
  { lm, CancellationTokenSource, Uri }: typeof vscode,
  isClosed: (file: vscode.Uri) => boolean,
): Promise<TestFailure[] | undefined> {
  if (!lm.tools.some(({ name }) => name === 'testFailure')) return undefined;
  const cancelling = new CancellationTokenSource();
  const input = { input: {}, toolInvocationToken: undefined };
  const asked = lm.invokeTool('testFailure', input, cancelling.token).then(undefined, () => undefined);
  const answer = await within(asked, DETAILS, undefined);
  cancelling.cancel();
  if (!answer) return undefined;
  const text = answer.content.map((part) => String(fieldsOf(part).value ?? '')).join('\n');
  return [...text.matchAll(/<testFailure name=(".*?") path=(".*")>\n([\s\S]*?)<\/testFailure>/g)].map(
    ([, quoted = '', path = '', inner = '']) => {
      const name = String(parsedJson(quoted));
      const id = [parsedJson(path), name].filter(Boolean).join(WAY);
      return { id, name, ...openPart(inner, (file) => isClosed(Uri.file(file))) };
    },
  );
}

/** A line for each: the stack, the innermost first, then where the test is. */
const PLACES = /^<(?:stackFrame|location) path="([^"]*)".*$\n?/gm;

function openPart(
  inner: string,
  isClosed: (path: string) => boolean,
): Pick<TestFailure, 'text' | 'isClosed'> {
  const paths = [...inner.matchAll(PLACES)].map(([, path = '']) => path);
  const [innermost = '', test = ''] = [paths[0], paths.at(-1)];
  if (paths.length === 0) return { text: plain(inner) };
  const open = inner.replaceAll(PLACES, (line, path: string) => (isClosed(path) ? '' : line));
  const places = [...open.matchAll(PLACES)].map(([line]) => line).join('');
  return {
    text: plain(isClosed(innermost) ? `${CLOSED}\n${places}` : open),
    ...(isClosed(test) && { isClosed: true }),
  };
}

const CLOSED = '[its message is from a file that is closed to you]';

function outcomeOf(
  { item, ownComputedState, tasks }: Fields,
  labels: ReadonlyMap<string, string>,
  Uri: typeof vscode.Uri,
): TestOutcome {
  const { extId, uri, range } = fieldsOf(item);
  const parts = String(extId).split(SEPARATOR);
  const names = parts
    .slice(1)
    .map((part, index) => labels.get(parts.slice(0, index + 2).join(SEPARATOR)) ?? part);
  const durations = itemsOf(tasks).map((task) => Number(fieldsOf(task).duration ?? 0));
  const duration = durations.reduce((sum, one) => sum + one, 0);
  const line = fieldsOf(range).startLineNumber;
  return {
    id: parts.slice(1).join(WAY),
    names,
    state: STATES[Number(ownComputedState)] ?? 'not run',
    ...(duration > 0 && { duration }),
    ...(uri !== undefined && { uri: Uri.from(uri as { scheme: string; path: string }) }),
    ...(typeof line === 'number' && { line }),
  };
}

/** Tags as headings, as people write them. */
const plain = (inner: string): string =>
  inner
    .replaceAll(/<expectedOutput>\n?/g, 'expected:\n')
    .replaceAll(/<actualOutput>\n?/g, 'actual:\n')
    .replaceAll(/<(?:stackFrame|location) path="([^"]*)" line="(\d+)" col="(\d+)" ?\/>/g, '  at $1:$2:$3')
    .replaceAll(/<stackFrame[^>\n]*>(.*)<\/stackFrame>/g, '  at $1')
    .replaceAll(/<\/?(?:expectedOutput|actualOutput|message)>\n?/g, '')
    .trim();
