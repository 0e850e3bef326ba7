/** What became of edited files, as answers tell it. */
import { visible } from '../../core/text/visible.ts';
import type { Saved } from '../../workspace/edit/request.ts';

const STATES = {
  saved: 'saved',
  theirs: 'not saved: the file has other unsaved changes, which the user will save',
  'still saving': 'still being saved by VS Code',
} as const;

export const stateOf = (saved: Saved): string => `${visible(saved.location.path)}: ${stateInWords(saved)}.`;

const stateInWords = ({ did, version, saved }: Saved): string =>
  `${did}, version ${version}, ${STATES[saved]}`;

/** Most neighbours with the same state that are told one by one. */
const MOST_ALIKE = 2;

/** A line a file, with notes; of many files in the same state only the paths, under that. */
export function statesOf(files: readonly Saved[]): string[] {
  const runs: { state: string; files: Saved[] }[] = [];
  for (const one of files) {
    const [state, last] = [stateInWords(one), runs.at(-1)];
    const isAlike = last?.state === state && [...last.files, one].every((file) => notesOn(file).length === 0);
    if (last && isAlike) last.files.push(one);
    else runs.push({ state, files: [one] });
  }
  return runs.flatMap(({ state, files }) =>
    files.length > MOST_ALIKE
      ? [`Each of these: ${state}:`, ...files.map(({ location }) => visible(location.path))]
      : files.flatMap((one) => [stateOf(one), ...notesOn(one)]),
  );
}

const GONE =
  'The file on disk is not what was saved: another program changed it, or a link was in its place. Read it again and tell the user.';

export function notesOn({ changedOnSave, madeEndsAlike, isGone }: Saved): string[] {
  return [
    ...(changedOnSave ? [changedOnSave] : []),
    ...(isGone ? [GONE] : []),
    ...(madeEndsAlike ? ['The file had mixed line endings. VS Code made them all the same.'] : []),
  ];
}
