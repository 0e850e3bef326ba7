import type { FileDiff } from '../../access/consent/types.ts';
import { ifUserError } from '../../core/errors.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { countLines } from '../../core/text/lines.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import type { Checks } from '../language/problemChanges.ts';

/** One line about a file or folder as a whole. */
export function operationText({ path, operation: done, after }: Omit<FileDiff, 'uri'>): string {
  const name = visible(path);
  const inside = done?.files === undefined ? '' : ` with ${counted(done.files, 'file')}`;
  switch (done?.type) {
    case 'create':
      return `${name}: created, ${counted(countLines(after) - (/(^|\n)$/.test(after) ? 1 : 0), 'line')}.`;
    case 'create_folder':
      return `${name}: folder created${inside}.`;
    case 'move':
      return `${name}: moved to ${visible(done.to ?? '')}${inside}.`;
    case 'copy':
      return `${name}: copied to ${visible(done.to ?? '')}${inside}.`;
    case 'delete':
      return `${name}${inside}: ${done.forGood ? 'deleted for good (there is no trash here)' : 'moved to the trash'}.${done.unkept ? ' undo_edit cannot bring it back: it is larger than 20 MB, or has links.' : ''}`;
    default:
      return name;
  }
}

/** The created and moved files, once they are there. */
export async function arrived(operations: readonly Operation[], { files }: Context): Promise<Location[]> {
  const targets = operations.flatMap((one) =>
    one.type === 'create' || one.type === 'move' ? [one.target] : [],
  );
  const located = await Promise.all(
    targets.map(async ({ uri }) => {
      const isFile = (await files.stat({ uri }))?.isFile;
      return isFile ? files.locate(uri.toString()).catch(ifUserError(undefined)) : undefined;
    }),
  );
  return located.filter((one) => one !== undefined);
}

/** With the new files, which had no problems, and with moved ones, which had those of their old path. */
export async function checksWithNew(
  checking: Promise<Checks>,
  operations: readonly Operation[],
): Promise<Checks> {
  const known = await checking;
  const checks = new Map(known);
  for (const one of operations) {
    if (one.type === 'create') checks.set(one.target.path, { state: 'checked', problems: [] });
    const moved = one.type === 'move' ? known.get(one.location.path) : undefined;
    if (one.type === 'move' && moved) checks.set(one.target.path, moved);
  }
  return checks;
}
