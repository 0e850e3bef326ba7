/** Checks the files of folders and globs in the time that a call has. */
import { UserError } from '../../core/errors.ts';
import { languagesIn } from '../../services/language/languages.ts';
import { clock } from '../../util/clock.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Call, Context } from '../context.ts';
import { AT_ONCE, check, type FoundProblems } from './fileProblems.ts';

/** How long it may take, in milliseconds: many clients wait for 60 s. */
const MOST_TIME = 40_000;
/** Files of a language without any report, after which no others of it are waited for. */
const MOST_SILENT = AT_ONCE;

/** A file to check. */
export interface Asked {
  path: string;
  /** The file's key in the list; undefined if the agent has named the file. */
  key?: string;
  locate(): Promise<Location>;
}

/**
 * Checks files, those of the list until time is up.
 *
 * @returns also why some cannot be checked, and the key of the last file of the list that was looked at
 */
export async function checkMany(
  asked: readonly Asked[],
  ctx: Context,
  call: Pick<Call, 'signal' | 'progress'>,
) {
  const end = clock.now() + MOST_TIME;
  const failed: string[] = [];
  const silent = asked.length > 1 ? silentLanguages(ctx) : undefined;
  let last: string | undefined;
  let done = 0;
  const found = await inParallel(asked, AT_ONCE, async ({ path, key, locate }) => {
    if (key !== undefined && clock.now() > end) return undefined;
    if (key !== undefined && (last === undefined || last < key)) last = key;
    try {
      const location = await locate();
      const isVain = key !== undefined && silent?.has(location);
      const one = isVain ? unheard(location, ctx) : await check(location, ctx, call.signal);
      silent?.heard(one);
      return one;
    } catch (error) {
      if (!(error instanceof UserError) || asked.length === 1) throw error;
      failed.push(error.message);
      return undefined;
    } finally {
      call.progress(++done, asked.length, path);
    }
  });
  return { found: found.filter((one) => one !== undefined), failed, last };
}

/** What is known of a file whose server has reported on none of its language: to wait for each would take minutes. */
const unheard = (location: Location, { vscode }: Context): FoundProblems => ({
  location,
  parts: [{ diagnostics: vscode.languages.getDiagnostics(location.uri) }],
  state: 'pending',
});

/** Languages of which several files, and no other, were waited for in vain. */
function silentLanguages({ vscode }: Context) {
  const languages = languagesIn(vscode);
  const heard = new Map<string | undefined, number>();
  const of = ({ uri }: Location) => languages.of(uri.path);
  return {
    has: (location: Location): boolean => (heard.get(of(location)) ?? 0) <= -MOST_SILENT,
    heard({ location, state }: FoundProblems): void {
      const before = heard.get(of(location)) ?? 0;
      if (state === 'checked') heard.set(of(location), Number.POSITIVE_INFINITY);
      if (state === 'pending') heard.set(of(location), before - 1);
    },
  };
}
