import * as vscode from 'vscode';
import type { Author } from '../../workspace/edit/journal.ts';
import { namedAgent } from '../approvals/questionText.ts';
import { changesText } from '../counts.ts';
import { quoted } from '../untrustedText.ts';
import { type AgentChange, firstLine, lastLine } from './agentChanges.ts';
import { type ChangedFile, type Step, stepsOf } from './histories.ts';
import { countOf, type PresentFile } from './present.ts';
import { countText, linesText, sourceOf } from './rows.ts';

/** What the user does with changes of agents: reverts or keeps them. */
export interface Handling {
  /** Of the list in which the user picks what. */
  title: string;
  /** Handles one change of a file's present text. */
  change(here: PresentFile, change: AgentChange): Promise<void>;
  /** Handles what is left of some steps of a file. */
  steps(file: ChangedFile, steps: readonly Step[]): Promise<void>;
  /** Whether to handle all changes of an agent; if missing, the user is not asked. */
  confirm?(author: Author, files: readonly PresentFile[]): Promise<boolean>;
}

export const changedMeanwhile = ({ path }: Pick<ChangedFile, 'path'>): Error =>
  new Error(vscode.l10n.t('{0} changed meanwhile. Try again.', quoted(path)));

/** Handles the files of an agent, or of all. @throws Error that names those that are left */
export async function handleFiles(
  handling: Handling,
  files: readonly ChangedFile[],
  author?: number,
): Promise<void> {
  const problems: string[] = [];
  for (const file of files)
    await handling.steps(file, stepsOf(file, author)).catch((error: Error) => problems.push(error.message));
  if (problems.length > 0) throw new Error(problems.join(' '));
}

/** Asks whose changes to show, if there are several agents. Undefined if the user closes the list; no author for all. */
export async function pickAuthor(authors: readonly Author[]): Promise<{ author?: Author } | undefined> {
  if (authors.length < 2) return {};
  const items: (vscode.QuickPickItem & { author?: Author })[] = [
    { label: vscode.l10n.t('All agents') },
    ...authors.map((author) => ({ label: namedAgent(author), author })),
  ];
  return vscode.window.showQuickPick(items, { title: vscode.l10n.t('Review Agent Changes') });
}

interface Parts {
  /** The active file. */
  here: PresentFile | undefined;
  /** The change at the cursor. */
  change: AgentChange | undefined;
  /** What is left of the changes of each agent. */
  agents: readonly { author: Author; files: readonly PresentFile[] }[];
}

/** Asks which part to handle, and does it. Resolves to false if there is none. */
export async function pickPart(handling: Handling, parts: Parts): Promise<boolean> {
  const items = [...inFile(handling, parts), ...ofAgents(handling, parts)];
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

const ofAgents = (handling: Handling, { agents }: Parts): Part[] =>
  agents
    .filter(({ files }) => files.length > 0)
    .map(({ author, files }) => ({
      label: vscode.l10n.t('All changes of {0}', namedAgent(author)),
      description: countText(countOf(files), files.length),
      run: async () => {
        if (handling.confirm && !(await handling.confirm(author, files))) return;
        const all = files.map(({ file }) => file);
        await handleFiles(handling, all, author.id);
      },
    }));
