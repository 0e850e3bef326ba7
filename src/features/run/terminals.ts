import type * as vscode from 'vscode';
import type { CommandRun } from '../../services/windowRuns.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { outputFrom } from './runText.ts';

/** Most output of a terminal's last command that is sent, in UTF-16 units. */
const MOST_OUTPUT = 20_000;

const LOST = 'The output is not known: VS Code loses that of some quick commands. The terminal shows it.';

const FULL_SCREEN = 'A full-screen program has the terminal: its screen is not told.';

export const terminals = editorResource({
  name: 'terminals',
  all: {
    title: 'Terminals',
    description:
      'The terminals of the window, each with its last command since the first agent connected, the exit code and the end of the output.',
    priority: 0.6,
    lastModified: ({ windowRuns }) => windowRuns.changedAt('terminals'),
    read: async (ctx) => {
      const all = ctx.vscode.window.terminals.filter((one) => !isHidden(one));
      const shown = await Promise.all(all.map((one) => terminalOf(one, ctx)));
      return { terminals: shown.filter((one) => one !== undefined) };
    },
  },

  require: ({ files }) => files.policy.requireOperation('run'),

  watch: ({ vscode }, onList) => vscode.workspace.onDidGrantWorkspaceTrust(onList),

  follow: ({ windowRuns }, { all }) => windowRuns.onDidChange('terminals', all),
});

const isHidden = ({ creationOptions }: vscode.Terminal): boolean =>
  (creationOptions as vscode.TerminalOptions | undefined)?.hideFromUser === true;

/** Undefined if its folder is closed to the agent. */
async function terminalOf(terminal: vscode.Terminal, ctx: Context) {
  const { vscode, files, windowRuns } = ctx;
  const last = windowRuns.terminals.of(terminal);
  const cwd = last?.cwd ?? terminal.shellIntegration?.cwd;
  const location = cwd && (await files.permitted(cwd));
  if (cwd ? !location : !files.policy.mayListUnnamed()) return undefined;
  return {
    name: files.redactor.text(terminal.name),
    ...(vscode.window.activeTerminal === terminal && { active: true }),
    ...(location && { folder: location.path }),
    ...(last && lastOf(last, ctx)),
  };
}

function lastOf(last: CommandRun, ctx: Context) {
  const { command, startedAt, endedAt, exitCode, output, isRead, isWhole } = last;
  const hasEnded = endedAt !== undefined && isWhole; // the last output may come after the end
  const note = hasEnded && !isRead ? LOST : output.isFullScreen ? FULL_SCREEN : undefined;
  return {
    command: ctx.files.redactor.text(command),
    startedAt: startedAt.toISOString(),
    ...(hasEnded ? { endedAt: endedAt.toISOString() } : { running: true }),
    ...(hasEnded && exitCode !== undefined && { exitCode }),
    ...(note !== LOST && {
      output: outputFrom({ output, result: isWhole ? {} : undefined }, ctx, 1, MOST_OUTPUT),
    }),
    ...(note && { note }),
  };
}
