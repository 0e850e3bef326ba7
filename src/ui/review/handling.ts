import * as vscode from 'vscode';
import type { Author } from '../../workspace/edit/journal.ts';
import { namedAgent } from '../approvals/questionText.ts';
import { changesText, confirmed, quoted } from '../messages.ts';
import {
  type AgentChange,
  agentChanges,
  firstLine,
  isMeeting,
  lastLine,
  withChange,
  without,
  withoutChanges,
} from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { authorsOf, type ChangedFile, isBytes, type Step, stepsOf, type Whose } from './histories.ts';
import { countOf, lookAgain, type PresentFile, present } from './present.ts';
import { changedMeanwhile, notKnown, putBack, rewrite } from './rewrite.ts';
import { countText, linesText, type ReviewRow, reviewTitle, sourceOf, turnTitle } from './rows.ts';

/** Reverts changes. Each file is looked at once it is reverted, so that the counts do not wait for the others. */
export function reverting(changed: ChangedFiles): Handling {
  const revert = (file: ChangedFile, reverted: Promise<void>) =>
    reverted.finally(() => lookAgain(changed, file));
  return {
    title: vscode.l10n.t('Revert Agent Change'),
    change: ({ file, text }, change) =>
      revert(
        file,
        rewrite(changed, file, (now) => {
          if (now === undefined || now !== text) throw changedMeanwhile(file);
          return withChange(now, change);
        }),
      ),
    steps: async (file, steps) => {
      if (steps.some(({ isUnseen }) => isUnseen)) throw notKnown(file.path);
      const reverted = isBytes(file)
        ? putBack(file, steps)
        : rewrite(changed, file, (text) => without(steps, text));
      await revert(file, reverted);
    },
    confirm: confirmAll,
  };
}

/** Because each file has to be undone by itself. */
function confirmAll({ title, files }: Whole): Promise<boolean> {
  const { l10n } = vscode;
  const counts = countText(countOf(files), files.length);
  const detail = l10n.t('{0}. What you have typed stays. Each file is one undo step.', counts);
  return confirmed(l10n.t('Revert: {0}?', title), detail, l10n.t('Revert'));
}

/** Keeps changes: their texts stay, and are the user's from then on. */
export const keeping = (changed: ChangedFiles): Handling => ({
  title: vscode.l10n.t('Keep Agent Change'),
  change: async ({ file, text }, change) => {
    const now = await present(changed, file);
    if (now.text === undefined || now.text !== text) throw changedMeanwhile(file);
    const isLast = now.changes.length === 1;
    if (isLast) changed.keep(file, file.steps);
    for (const author of isLast ? [] : authorsOf(file)) {
      const own = agentChanges(stepsOf(file, { author: author.id }), text).filter((one) =>
        isMeeting(one, change),
      );
      if (own.length > 0)
        changed.keepPart(file, own, { author, before: text, after: withoutChanges(text, own) });
    }
    await lookAgain(changed, file);
  },
  steps: async (file, steps) => {
    changed.keep(file, steps);
    await lookAgain(changed, file);
  },
});

export interface Handling {
  title: string;
  /** Handles one change of a file's present text. */
  change(here: PresentFile, change: AgentChange): Promise<void>;
  /** Handles what is left of some steps of a file. */
  steps(file: ChangedFile, steps: readonly Step[]): Promise<void>;
  /** Whether to handle all changes of an agent or turn; if missing, the user is not asked. */
  confirm?(whole: Whole): Promise<boolean>;
}

/** Handles some edits of files. @throws Error that names those that are left */
export async function handleFiles(handling: Handling, files: readonly ChangedFile[], whose?: Whose) {
  const problems: string[] = [];
  for (const file of files)
    await handling.steps(file, stepsOf(file, whose)).catch((error: Error) => problems.push(error.message));
  if (problems.length > 0) throw new Error(problems.join(' '));
}

/** Edits that the user has picked, and what they are. */
export interface Picked {
  whose: Whose;
  title: string;
}

/** With the files in which something of them is left. */
type Whole = Picked & { files: readonly PresentFile[] };

export const pickedIn = (row: ReviewRow & { kind: 'changes' | 'group' }): Picked =>
  row.kind === 'group' ? row : ofAgent(row.author);

export const ofAgent = (author: Author): Picked => ({
  whose: { author: author.id },
  title: vscode.l10n.t('All changes of {0}', namedAgent(author)),
});

/** The last turn of an agent, if something of it may be left and it is not all that there is. */
export function lastTurn(changed: ChangedFiles, author: Author): Picked[] {
  const [turn] = changed.turns(author.id);
  if (!turn) return [];
  const title = vscode.l10n.t('Last turn of {0}: {1}', namedAgent(author), turnTitle(turn));
  return [{ whose: { author: author.id, turn: turn.id }, title }];
}

/** Asks whose changes to show, if there are several turns or agents: last turns first. Undefined if the user closes the list. */
export async function pickWhose(changed: ChangedFiles): Promise<Picked | undefined> {
  const authors = changed.authors();
  const turns = authors.flatMap((author) => lastTurn(changed, author));
  const all: Picked = { whose: {}, title: reviewTitle() };
  const agents = authors.length > 1 ? authors.map(ofAgent) : [];
  if (turns.length + agents.length === 0) return all;
  const items = [...turns, all, ...agents].map((one) => ({ ...one, label: one.title }));
  return vscode.window.showQuickPick(items, { title: vscode.l10n.t('Review Agent Changes') });
}

/** Handles edits as a whole, if the user agrees. */
export async function handleAll(handling: Handling, whole: Whole): Promise<void> {
  if (handling.confirm && !(await handling.confirm(whole))) return;
  const files = whole.files.map(({ file }) => file);
  await handleFiles(handling, files, whole.whose);
}

interface Parts {
  /** The active file. */
  here: PresentFile | undefined;
  /** The change at the cursor. */
  change: AgentChange | undefined;
  /** The last turn and all of each agent. */
  whole: readonly Whole[];
}

/** Asks which part to handle, and does it. Resolves to false if there is none. */
export async function pickPart(handling: Handling, parts: Parts): Promise<boolean> {
  const items = [...inFile(handling, parts), ...asWhole(handling, parts)];
  if (items.length === 0) return false;
  const picked = await vscode.window.showQuickPick(items, { title: handling.title });
  await picked?.run();
  return true;
}

interface Part extends vscode.QuickPickItem {
  run(): Promise<void>;
}

function inFile(handling: Handling, { here, change }: Parts): Part[] {
  const { l10n } = vscode;
  if (!here || here.changes.length === 0) return [];
  const { file, changes } = here;
  const all = {
    label: l10n.t('All changes in {0}', quoted(file.path)),
    description: changesText(changes.length),
    run: () => handleFiles(handling, [file]),
  };
  if (!change) return [all];
  const lines = linesText(firstLine(change) + 1, lastLine(change) + 1);
  const one = {
    label: l10n.t('The change at the cursor'),
    description: `${lines} · ${sourceOf(change.edit)}`,
    run: () => handling.change(here, change),
  };
  return [one, all];
}

const asWhole = (handling: Handling, { whole }: Parts): Part[] =>
  whole
    .filter(({ files }) => files.length > 0)
    .map((one) => ({
      label: one.title,
      description: countText(countOf(one.files), one.files.length),
      run: () => handleAll(handling, one),
    }));
