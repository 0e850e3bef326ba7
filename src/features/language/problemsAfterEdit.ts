import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { reportProblems } from './reportProblems.ts';

/** Problems that are named after an edit. */
const MOST_PROBLEMS = 20;

/** In lines of text. The edit is done: a failure here does not undo it. */
export async function problemsAfterEdit(
  locations: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const named = locations.map(({ uri }) => uri.toString());
    const { report, text } = await reportProblems({ named, limit: MOST_PROBLEMS }, ctx, {
      signal,
      progress() {},
    });
    return report.count > 0 ? ['Problems:', text] : [text];
  } catch (error) {
    ctx.log.warn(`the problems after an edit are not known: ${(error as Error).message}`);
    return ['The problems after the edit are not known: ask get_diagnostics.'];
  }
}
