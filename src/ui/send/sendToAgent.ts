import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ConnectedAgent } from '../../core/connectedAgent.ts';
import { namedAgent } from '../approvals/questionText.ts';
import type { Controls } from '../controls.ts';
import { oneLine, showMessage } from '../messages.ts';
import { type Place, placeOf, selectedInTerminal } from './place.ts';

/** The agent that got something last in this workspace. */
const LAST = 'send.lastAgent';

/** Longest words of the user, in UTF-16 units. */
const LONGEST = 2_000;

type Parts = Pick<Controls, 'agents' | 'context' | 'log'>;

/** An agent that can be chosen. Without a key it has no hooks that came: the text is copied for it. */
interface Receiver {
  author: Pick<ConnectedAgent, 'id' | 'agent' | 'number'>;
  cwd?: string | undefined;
  key?: string;
  wakes?: boolean;
}

/** Sends what a menu's command is about to an agent, with words of the user. Only their own click does that. */
export const sendToAgent = async (parts: Parts, ...given: unknown[]): Promise<void> =>
  send(parts, await placeOf(...given));

export const sendTerminalSelectionToAgent = async (parts: Parts): Promise<void> =>
  send(parts, await selectedInTerminal());

async function send({ agents, context, log }: Parts, place: Place | undefined): Promise<void> {
  const { l10n, window } = vscode;
  if (!place) {
    await showMessage(
      'Information',
      l10n.t('There is nothing to send: open a file, or select something.'),
      [],
    );
    return;
  }
  const all = receivers(agents);
  if (all.length === 0) return copied(place.text, l10n.t('No agent is connected. The text is copied.'));
  const receiver = await picked(all, context.workspaceState.get<string>(LAST));
  if (!receiver) return;
  const name = namedAgent(receiver.author);
  const words = await window.showInputBox({
    title: l10n.t('Send to {0}', name),
    prompt: oneLine(place.text.replace(/\s+/g, ' ')),
    placeHolder: l10n.t('What should it do? Empty: only the place'),
    validateInput: (text) => (text.length > LONGEST ? l10n.t('At most {0} characters.', LONGEST) : undefined),
  });
  if (words === undefined) return;
  await context.workspaceState.update(LAST, receiver.author.agent);
  const text = [words.trim(), place.text].filter(Boolean).join('\n');
  const { hooks } = agents;
  const result =
    receiver.key !== undefined && hooks ? await hooks.send(receiver.key, text, place.uris) : 'gone';
  log.debug(`sent to ${receiver.author.agent}: ${result}`);
  if (result === 'now') window.setStatusBarMessage(l10n.t('{0} has it.', name), 5_000);
  else if (result === 'closed')
    await showMessage('Warning', l10n.t('A file is closed to agents. Nothing was sent.'), []);
  else if (result === 'gone') await copied(text, l10n.t('{0} takes no messages. The text is copied.', name));
  else {
    const copy: [string, () => unknown] = [l10n.t('Copy Text'), () => vscode.env.clipboard.writeText(text)];
    await showMessage('Information', l10n.t('{0} gets it with your next prompt.', name), [copy]);
  }
}

/** Sessions that have hooks first, then other connected agents. */
function receivers({ hooks, all }: Controls['agents']): Receiver[] {
  const sessions = hooks?.receivers() ?? [];
  const others = all.filter(({ id }) => !sessions.some(({ author }) => author.id === id));
  return [
    ...sessions,
    ...others.map(({ id, name: agent, number, cwd }) => ({
      author: { id, agent, ...(number !== undefined && { number }) },
      cwd,
    })),
  ];
}

/** The one that was chosen last comes first. */
async function picked(all: readonly Receiver[], last: string | undefined): Promise<Receiver | undefined> {
  const [only, ...more] = all;
  if (more.length === 0) return only;
  const { l10n, window } = vscode;
  const items = all
    .toSorted((a, b) => Number(b.author.agent === last) - Number(a.author.agent === last))
    .map((receiver) => ({
      label: namedAgent(receiver.author),
      description: receiver.cwd ? basename(receiver.cwd) : '',
      detail: wayOf(receiver),
      receiver,
    }));
  return (await window.showQuickPick(items, { title: l10n.t('Send to Agent') }))?.receiver;
}

function wayOf({ key, wakes }: Receiver): string {
  const { l10n } = vscode;
  if (key === undefined) return l10n.t('Copies the text: none of its hooks has come');
  return wakes ? l10n.t('Gets it at once') : l10n.t('Gets it with your next prompt');
}

async function copied(text: string, message: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  await showMessage('Information', message, []);
}
