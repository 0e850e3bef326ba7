import * as vscode from 'vscode';
import type { Author } from '../../workspace/edit/journal.ts';
import { namedAgent } from '../approvals/kinds.ts';
import { changesText } from '../counts.ts';
import { quoted } from '../untrustedText.ts';
import { type AgentChange, firstLine, lastLine, withChange } from './agentChanges.ts';
import { countOf, type Present } from './present.ts';
import { changedMeanwhile, revertFiles, rewrite } from './revert.ts';
import { countText, linesText, sourceOf } from './texts.ts';

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
  here: Present | undefined;
  /** The change at the cursor. */
  change: AgentChange | undefined;
  /** What is left of the changes of each agent. */
  agents: readonly { author: Author; files: readonly Present[] }[];
}

/** Asks what to revert, and does it. Resolves to whether something was reverted; undefined if there is nothing. */
export async function pickPart(parts: Parts): Promise<boolean | undefined> {
  const items = [...inFile(parts), ...ofAgents(parts)];
  if (items.length === 0) return undefined;
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Revert Agent Change') });
  await picked?.run();
  return picked !== undefined;
}

interface Part extends vscode.QuickPickItem {
  run(): Promise<void>;
}

function inFile({ here, change }: Parts): Part[] {
  const { l10n } = vscode;
  if (!here || here.changes.length === 0) return [];
  const { file, changes } = here;
  const all = {
    label: l10n.t('All changes in {0}', quoted(file.path)),
    description: changesText(changes.length),
    run: () => revertFiles([file]),
  };
  if (!change) return [all];
  const lines = linesText(firstLine(change) + 1, lastLine(change) + 1);
  const one = {
    label: l10n.t('The change at the cursor'),
    description: `${lines} · ${sourceOf(change.edit)}`,
    run: () =>
      rewrite(file, (text) => {
        if (text === undefined || text !== here.text) throw changedMeanwhile(file);
        return withChange(text, change);
      }),
  };
  return [one, all];
}

const ofAgents = ({ agents }: Parts): Part[] =>
  agents
    .filter(({ files }) => files.length > 0)
    .map(({ author, files }) => ({
      label: vscode.l10n.t('All changes of {0}', namedAgent(author)),
      description: countText(countOf(files), files.length),
      run: () => revertAll(author, files),
    }));

/** Confirmed, because each file has to be undone by itself. */
async function revertAll(author: Author, files: readonly Present[]): Promise<void> {
  const { l10n } = vscode;
  const revert = l10n.t('Revert');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Revert all changes of {0}?', namedAgent(author)),
    {
      modal: true,
      detail: l10n.t(
        '{0}. What you have typed stays. Each file is one undo step.',
        countText(countOf(files), files.length),
      ),
    },
    revert,
  );
  if (answer !== revert) return;
  await revertFiles(
    files.map(({ file }) => file),
    author.id,
  );
}
