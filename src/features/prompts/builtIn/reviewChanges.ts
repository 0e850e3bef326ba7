import { UserError } from '../../../core/errors.ts';
import { changesSince, diffOf, type Since } from '../../../services/git/fileDiff.ts';
import { locateChange } from '../../../services/git/sourceControl.ts';
import type { Context } from '../../context.ts';
import { type Attachments, attachmentsFor } from '../attachments.ts';
import { type BuiltIn, branches, stateUri } from './builtIn.ts';

/** The diffs of all changed files. */
export const reviewChanges: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'review_changes',
  title: l10n.t('Review My Changes'),
  description: l10n.t('Reviews what you changed since the last commit, or since you left a branch.'),
  arguments: [
    {
      name: 'base',
      description: l10n.t('A branch or commit to compare with; the last commit if left out'),
      required: false,
    },
  ],
  complete: (_, ctx) => branches(ctx),
  async get(args, ctx) {
    const base = args.base || undefined;
    const attached = attachmentsFor(ctx);
    let count = 0;
    for (const since of await changesSince(base, ctx)) count += await attachDiffs(since, base, ctx, attached);
    if (count === 0) throw new UserError('Git knows no changes in files that you may read.');
    const task = l10n.t(
      'Review my changes since {0}; their diffs are attached. Look for bugs, missed cases, security problems, missing tests, and code that can be simpler. Read the code around them if you need it. List what you find with file and line, the worst first, with what to do about it. Do not change files.',
      base ?? l10n.t('the last commit'),
    );
    return attached.after(task);
  },
});

/** @returns how many files differ */
async function attachDiffs(
  since: Since,
  base: string | undefined,
  ctx: Context,
  attached: Attachments,
): Promise<number> {
  const located = await Promise.all(since.changes.map((change) => locateChange(change, ctx)));
  const byUri = new Map(located.flatMap((one) => (one ? [[`${one.uri}`, one] as const] : [])));
  let count = 0;
  for (const location of byUri.values()) {
    const { path } = location;
    try {
      const text = await diffOf(location, ctx, since);
      if (text === '') continue;
      count++;
      const of = base === undefined ? '' : `?since=${encodeURIComponent(base)}`;
      const uri = stateUri('changes', path) + of;
      attached.text(path, { uri, text, mimeType: 'text/x-diff' });
    } catch (error) {
      count++;
      attached.leaveOut(error);
    }
  }
  return count;
}
