import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { type FoundProblems, problemsIn } from '../language/fileProblems.ts';
import { newProblems } from '../language/problemChanges.ts';

/** What identifies a problem while lines move. */
const keyOf = (uri: vscode.Uri, { message, severity, source }: vscode.Diagnostic): string =>
  JSON.stringify([uri.toString(), severity, source, message]);

/** The problems that VS Code shows now, to be compared with those after a task. */
export const reportedNow = ({ languages }: typeof vscode): ReadonlySet<string> =>
  new Set(languages.getDiagnostics().flatMap(([uri, all]) => all.map((one) => keyOf(uri, one))));

/** The problems that have come since, in files that the agent may know, as lines of text; empty if none have. */
export async function reportedSince(before: ReadonlySet<string>, ctx: Context): Promise<string> {
  const { vscode, files } = ctx;
  const found = await Promise.all(
    vscode.languages.getDiagnostics().map(async ([uri, all]): Promise<FoundProblems[]> => {
      const diagnostics = all.filter((one) => !before.has(keyOf(uri, one)));
      const location = diagnostics.length > 0 ? await files.permitted(uri) : undefined;
      return location ? [{ location, parts: [{ diagnostics }] }] : [];
    }),
  );
  const problems = await problemsIn(found.flat(), 'hint', ctx);
  return newProblems(
    'New problems',
    problems.filter((one) => one.problems.length > 0),
  ).join('\n');
}
