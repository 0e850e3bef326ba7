import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Diagnostic } from 'vscode';
import type { Answer } from '../../../src/access/consent/types.ts';
import { UserError } from '../../../src/core/errors.ts';
import type { Context } from '../../../src/features/context.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { FakeDiagnostic, type FakeDocument, Range, type Selection } from '../../fakes/text.ts';
import type { FakeOptions } from '../../fakes/vscode.ts';
import { until } from '../../until.ts';
import { CALL, openWindow, type Tree, textsOf, type Window } from './window.ts';

export const ONCE: Answer = { allow: 'once' };

/** A window in which no language server has to be waited for. */
export function openUnwatched(tree: Tree = {}, options: Partial<FakeOptions> = {}): Window {
  const window = openWindow(tree, options);
  const of = async () => ({ diagnostics: [], state: 'checked' as const });
  for (const { language } of [window.ctx, window.another]) Object.assign(language, { of, ofShown: of });
  return window;
}

/** As that, and its user allows everything. */
export function allowing(tree?: Tree, options?: Partial<FakeOptions>): Window {
  const window = openUnwatched(tree, options);
  window.consent.otherwise = () => ONCE;
  return window;
}

export const disk = (window: Window, path: string): string => readFileSync(window.path(path), 'utf8');

/** The document of a file that VS Code has loaded. */
export const documentOf = ({ fake, path }: Window, file: string): FakeDocument =>
  fake.documents.find(({ uri }) => uri.fsPath === path(file)) ?? assert.fail(`${file} is not loaded`);

/** An editor with a file, in a tab in front. */
export function inFront({ fake, path }: Window, file: string, ...selections: Selection[]) {
  const document = fake.person.opensTab(path(file));
  Object.assign(fake.tabs.at(-1) ?? {}, { isActive: true });
  fake.activeTextEditor = { document, selections, visibleRanges: [new Range(0, 0, 1, 5)] };
  return fake.activeTextEditor;
}

/** The text of an answer, and its note. @param as another agent's context */
export const answer = async (window: Window, tool: Tool, args: object = {}, as?: Context): Promise<string> =>
  textsOf(await window.run(tool, args, CALL, as)).join('\n');

/** As `answer`, in lines. */
export const ask = async (window: Window, tool: Tool, args: object): Promise<string[]> =>
  (await answer(window, tool, args)).split('\n');

/** Until the user has been asked so often. */
export const asked = ({ consent }: Window, times = 1): Promise<void> =>
  until(() => consent.questions.length >= times, 'a question');

export async function refused(done: Promise<unknown>, reason: RegExp): Promise<void> {
  await assert.rejects(done, (error: Error) => {
    assert.ok(error instanceof UserError, error.stack);
    assert.match(error.message, reason);
    return true;
  });
}

/** An error at the beginning of a line. */
export const problem = (message: string, line = 0): Diagnostic =>
  new FakeDiagnostic(new Range(line, 0, line, 1), message) as never;
