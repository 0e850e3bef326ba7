import type * as vscode from 'vscode';
import { countLines, offsetOfLine } from '../../core/text/lines.ts';
import type { CommandRun } from '../../services/runs.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';

/** Most output of a terminal's last command that is sent, in UTF-16 units. */
const MOST_OUTPUT = 20_000;

const LOST = 'The output is not known: VS Code loses that of some quick commands. The terminal shows it.';

const HELD_BACK =
  'The output is shown when the command has ended, because redacted text may span several lines.';

export const terminals = editorResource({
  name: 'terminals',
  all: {
    title: 'Terminals',
    description:
      'The terminals of the window, each with its last command since the first agent connected, the exit code and the end of the output.',
    priority: 0.6,
    lastModified: ({ runs }) => runs.changedAt('terminals'),
    read: async (ctx) => {
      const shown = await Promise.all(ctx.vscode.window.terminals.map((one) => terminalOf(one, ctx)));
      return { terminals: shown.filter((one) => one !== undefined) };
    },
  },

  require: ({ files }) => files.policy.requireOperation('run'),

  watch: ({ vscode }, onList) => vscode.workspace.onDidGrantWorkspaceTrust(onList),

  follow: ({ runs }, { all }) => runs.onDidChange('terminals', all),
});

/** Undefined if its folder is closed to the agent. */
async function terminalOf(terminal: vscode.Terminal, { vscode, files, runs }: Context) {
  const last = runs.terminals.of(terminal);
  const cwd = last?.cwd ?? terminal.shellIntegration?.cwd;
  const location = cwd && (await files.permitted(cwd));
  if (cwd ? !location : !files.policy.mayListUnnamed()) return undefined;
  return {
    name: files.redactor.text(terminal.name),
    ...(vscode.window.activeTerminal === terminal && { active: true }),
    ...(location && { folder: location.path }),
    ...(last && lastOf(last, files)),
  };
}

function lastOf(last: CommandRun, files: Context['files']) {
  const shown = shownOf(last, files);
  const all = shown ?? '';
  const output = all.length > MOST_OUTPUT ? all.slice(all.indexOf('\n', all.length - MOST_OUTPUT) + 1) : all;
  const isHeldBack = !last.endedAt && !files.redactor.redaction.staysInLine;
  const leftOut = all.length - output.length + last.dropped();
  return {
    command: files.redactor.text(last.command),
    startedAt: last.startedAt.toISOString(),
    ...(last.endedAt ? { endedAt: last.endedAt.toISOString() } : { running: true }),
    ...(last.exitCode !== undefined && { exitCode: last.exitCode }),
    ...(shown === undefined ? { note: LOST } : { output }),
    ...(isHeldBack && { note: HELD_BACK }),
    ...(leftOut > 0 && { leftOut }),
  };
}

/**
 * The output of a command; undefined if it is lost. With redaction on, parts that may hold half a secret are left out: the
 * unfinished line, or everything if a pattern can span lines; and the first half, if the beginning was dropped.
 */
function shownOf(last: CommandRun, files: Context['files']): string | undefined {
  const all = last.output();
  if (all === undefined || !files.redactor.isOn) return all;
  const { redaction } = files.redactor;
  const end = redaction.staysInLine ? all.lastIndexOf('\n') + 1 : 0;
  const redacted = files.redactor.text(last.endedAt ? all : all.slice(0, end));
  if (last.dropped() === 0) return redacted;
  const half = countLines(all.slice(0, all.length / 2));
  return redacted.slice(offsetOfLine(redacted, half + 1)); // redacting keeps the lines
}
