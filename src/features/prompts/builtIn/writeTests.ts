import { basename } from 'node:path';
import type { Target } from '../../../services/language/symbols/candidates.ts';
import { isTestFile } from '../../../services/language/symbols/changedSymbols.ts';
import { declarationOf } from '../../../services/language/symbols/declaration.ts';
import { resolveSymbol } from '../../../services/language/symbols/resolveSymbol.ts';
import { inSlices } from '../../../util/inParallel.ts';
import type { Context } from '../../context.ts';
import { type Attachments, attachmentsFor } from '../attachments.ts';
import { type BuiltIn, linesUri, paths, symbols } from './builtIn.ts';

/** Most test files of the same name that are mentioned. */
const MOST_TEST_FILES = 5;

/** The code of one symbol, and where its file is tested. */
export const writeTests: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'write_tests',
  title: l10n.t('Write Tests for a Symbol'),
  description: l10n.t('Writes tests for a function, class or other symbol.'),
  arguments: [
    { name: 'symbol', description: l10n.t('Its name, or Class/method'), required: true },
    { name: 'path', description: l10n.t('Its file, if several have one of that name'), required: false },
  ],
  complete: ({ name, value, others }, ctx, { signal }) =>
    name === 'path' ? paths(value, ctx, signal) : symbols(value, others.path || undefined, ctx, signal),
  async get({ symbol, path }, ctx, { signal }) {
    const named = await resolveSymbol({ symbol, path: path || undefined }, ctx, signal);
    const target = (await declarationOf(named, ctx, signal)) ?? named;
    const attached = attachmentsFor(ctx);
    await attachCode(target, ctx, attached);
    const tests = await testsOf(target.location.path, ctx, signal);
    const task = l10n.t(
      'Write tests for `{0}` of {1}, whose code is attached. Cover what it promises, edge cases, and what it does with wrong input. Follow the frameworks, names and helpers of the tests in this workspace. Run them; if one shows a bug, tell me instead of fitting the test to it.',
      target.name,
      target.location.path,
    );
    const where = tests.length > 0 ? l10n.t('Tests of this file: {0}', tests.join(', ')) : '';
    return attached.after([task, where].filter(Boolean).join('\n\n'));
  },
});

async function attachCode(
  { symbol, location }: Target,
  { files }: Context,
  attached: Attachments,
): Promise<void> {
  if (!symbol) return;
  const first = symbol.startLine ?? symbol.line;
  const numbers = Array.from({ length: symbol.endLine - first + 1 }, (_, index) => first - 1 + index);
  const text = [...(await files.lines(location, numbers)).values()].join('\n');
  attached.text(location.path, { uri: linesUri(location, first, symbol.endLine), text });
}

/** Test files that are named after a file. */
async function testsOf(path: string, { files }: Context, signal: AbortSignal): Promise<string[]> {
  const [name = ''] = basename(path).toLowerCase().split('.');
  const found: string[] = [];
  const look = (file: { path: string }) => {
    if (
      found.length < MOST_TEST_FILES &&
      isTestFile(file.path) &&
      basename(file.path).toLowerCase().includes(name)
    )
      found.push(file.path);
  };
  await inSlices(await files.list(signal), look, signal);
  return found.filter((one) => one !== path);
}
