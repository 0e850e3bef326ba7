import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { reportProblems } from './reportProblems.ts';

/** Most problems reported after an edit. */
const MOST_PROBLEMS = 20;

/** Lines of text. A failure here does not fail the edit, which is already done. */
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
    ctx.log.warn(`the problems after an edit are unknown: ${(error as Error).message}`);
    return ['The problems after the edit are unknown. Call get_diagnostics.'];
  }
}
