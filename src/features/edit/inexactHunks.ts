import type { Place } from '../../core/patch/placeHunk.ts';
import { counted } from '../../core/text/counted.ts';

/** Most hunks of a file that are told. */
const MOST_TOLD = 20;

/** About the hunks of a file that were not exactly where the patch states. */
export function inexact(places: readonly Place[]): string[] {
  const told = [...places.entries()].flatMap(([index, { at, offset, isLoose }]) => {
    const where =
      offset === undefined || offset === 0
        ? `at line ${at + 1}`
        : `at line ${at + 1}, ${counted(Math.abs(offset), 'line')} ${offset > 0 ? 'below' : 'above'} the stated one`;
    const how = isLoose ? `${where}, with other white space` : where;
    return offset || isLoose ? [`hunk ${index + 1} ${how}`] : [];
  });
  return told.length > MOST_TOLD
    ? [...told.slice(0, MOST_TOLD), `${told.length - MOST_TOLD} more not exactly where stated`]
    : told;
}
