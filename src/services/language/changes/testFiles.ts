/** Which files hold tests. */
import { ifUserError } from '../../../core/errors.ts';
import type { Files } from '../../../workspace/files.ts';

const NAMED =
  /[._-](test|tests|spec|specs|cy)\.\w+$|(^|\/)test_[^/]*\.py$|(Test|Tests|Spec)\.(java|kt|cs|swift|scala|php)$/;
const IN_FOLDER = /(^|\/)(tests?|specs?|__tests__|testing)\//;

/** Whether a file belongs to tests, by its path; in a folder of tests it may only help them. */
export const isTestFile = (path: string): boolean => NAMED.test(path) || IN_FOLDER.test(path);

/** What declares a test, by the names of files. */
const TESTS: readonly (readonly [file: RegExp, test: RegExp])[] = [
  [
    /\.[mc]?[jt]sx?$/,
    /(?<![\w$.])(?:(?:Deno|QUnit)\.)?(?:it|test|describe|suite|specify|bench)\b[\w$.]*\s*[(`<]/,
  ],
  [/\.pyi?$/, /\bdef test|\bclass \w*Test|\bunittest\b|\bdoctest\b/],
];

/** Whether a file that belongs to tests has some itself, by its name and text; true if that cannot be told. */
export async function hasTests(path: string, files: Files): Promise<boolean> {
  const [, test] = TESTS.find(([file]) => file.test(path)) ?? [];
  if (!test || NAMED.test(path)) return true;
  const location = await files.locateShown(path).catch(ifUserError(undefined));
  const content = location && (await files.read(location).catch(ifUserError(undefined)));
  return content?.kind === 'text' ? test.test(content.text) : true;
}
