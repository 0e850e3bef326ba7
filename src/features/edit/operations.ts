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
      return `${name}: created, ${counted(countLines(after) - (/\n$/.test(after) ? 1 : 0), 'line')}.`;
    case 'create_folder':
      return `${name}: folder created${inside}.`;
    case 'move':
      return `${name}: moved to ${visible(done.to ?? '')}${inside}.`;
    case 'copy':
      return `${name}: copied to ${visible(done.to ?? '')}${inside}.`;
    case 'delete':
      return `${name}${inside}: ${done.forGood ? 'deleted for good (there is no trash here)' : 'moved to the trash'}.`;
    default:
      return name;
  }
}

const isCreation = (one: Operation): one is Operation & { type: 'create' } => one.type === 'create';

/** The created files, once they are there. */
export async function createdBy(operations: readonly Operation[], { files }: Context): Promise<Location[]> {
  const created = operations.filter(isCreation);
  const located = await Promise.all(
    created.map(({ target }) => files.locate(target.uri.toString()).catch(ifUserError(undefined))),
  );
  return located.filter((one) => one !== undefined);
}

/** With the new files: they had no problems. */
export async function checksWithNew(
  checking: Promise<Checks>,
  operations: readonly Operation[],
): Promise<Checks> {
  const none = { state: 'checked', problems: [] } as const;
  return new Map([
    ...(await checking),
    ...operations.filter(isCreation).map(({ target }) => [target.path, none] as const),
  ]);
}
