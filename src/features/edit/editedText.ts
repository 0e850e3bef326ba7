/** What an edit has made of its files, in words. */
import { visible } from '../../core/text/escapeInvisible.ts';
import type { Edited } from '../../workspace/edit/fileEdit.ts';

const STATES = {
  saved: 'saved',
  theirs: 'not saved: the file has other unsaved changes, which the user will save',
  'still saving': 'still being saved by VS Code',
} as const;

export const stateOf = (edited: Edited, did: string): string =>
  `${visible(edited.location.path)}: ${stateInWords(edited, did)}.`;

const stateInWords = ({ version, saved }: Edited, did: string): string =>
  `${did}, version ${version}, ${STATES[saved]}`;

/** Most neighbours with the same state that are told one by one. */
const MOST_ALIKE = 2;

/** A line a file, with notes; of many files in the same state only the paths, under that. */
export function statesOf(edited: readonly Edited[], did: (one: Edited) => string): string[] {
  const runs: { state: string; files: Edited[] }[] = [];
  for (const one of edited) {
    const [state, last] = [stateInWords(one, did(one)), runs.at(-1)];
    const isAlike = last?.state === state && [...last.files, one].every((file) => notesOn(file).length === 0);
    if (last && isAlike) last.files.push(one);
    else runs.push({ state, files: [one] });
  }
  return runs.flatMap(({ state, files }) =>
    files.length > MOST_ALIKE
      ? [`Each of these: ${state}:`, ...files.map(({ location }) => visible(location.path))]
      : files.flatMap((one) => [stateOf(one, did(one)), ...notesOn(one)]),
  );
}

const GONE =
  'The file on disk is not what was saved: another program changed it, or a link was in its place. Read it again and tell the user.';

export function notesOn({ changedOnSave, madeEndsAlike, isGone }: Edited): string[] {
  return [
    ...(changedOnSave ? ['VS Code changed more of the file while saving it. Read it again.'] : []),
    ...(isGone ? [GONE] : []),
    ...(madeEndsAlike ? ['The file had mixed line endings. VS Code made them all the same.'] : []),
  ];
}
