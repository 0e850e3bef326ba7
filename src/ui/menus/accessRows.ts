import * as vscode from 'vscode';
import type { Closed } from '../../access/accessRules.ts';
import type { Level } from '../../access/accessSettings.ts';
import type { Explanation } from '../../workspace/explainAccess.ts';
import { guardText } from '../approvals/questionText.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import type { MenuAction } from './quickPickActions.ts';

const { l10n } = vscode;

/** Where the user can change a rule: a setting on a level, the approvals, or workspace trust. */
export type RuleLocation = { setting: string; level: Level | undefined } | 'approvals' | 'trust';

interface Why {
  text: string;
  place?: RuleLocation;
}

/** The answer to an edit, as text. */
export interface EditAnswer extends Why {
  answer: 'allow' | 'ask' | 'deny';
}

const ICONS = { allow: 'pass', ask: 'question', deny: 'circle-slash' };

/** What agents may do with a file, each with the rule that blocks it. @param change opens the place where the user can change it */
export function accessRows(
  explanation: Explanation,
  answer: EditAnswer,
  change: (place: RuleLocation) => unknown,
): MenuAction[] {
  const keptFrom = whyNothing(explanation);
  const unread = keptFrom ?? whyBroken(explanation) ?? whyTooLarge(explanation);
  const row = (label: string, why: Why | undefined, answer = why ? 'deny' : 'allow'): MenuAction => ({
    label: `$(${ICONS[answer as EditAnswer['answer']]}) ${label}`,
    ...(why && { detail: why.text }),
    ...(why?.place && { run: () => change(why.place as RuleLocation) }),
  });
  const unedited = unread ?? whyNoEdit(explanation);
  return [
    row(l10n.t('Find in lists and search'), keptFrom ?? whyUnlisted(explanation)),
    row(l10n.t('Read'), unread ?? whatIsRedacted(explanation), unread ? 'deny' : 'allow'),
    row(l10n.t('Change text'), unedited ?? answer, unedited ? 'deny' : answer.answer),
  ];
}

function whyNothing({ closed, isMissing, readOff }: Explanation): Why | undefined {
  if (closed) return whyClosed(closed.reason, closed.levels);
  if (readOff) return whyOff(readOff.levels);
  return isMissing ? { text: l10n.t('There is no such file.') } : undefined;
}

function whyClosed(reason: Closed, levels: readonly Level[]): Why {
  switch (reason.by) {
    case 'deniedPaths': {
      const glob = quoted(reason.glob);
      const text = l10n.t('Closed by {0} in {1} ({2}).', glob, 'deniedPaths', namesOf(levels));
      return bySetting('deniedPaths', levels, text);
    }
    case 'secret':
      return { text: l10n.t('Always closed: {0}.', l10n.t(reason.reason)) };
    case 'editor data':
      return { text: l10n.t('Always closed: the editor stores its own data here.') };
    case 'alternate name':
      return {
        text: l10n.t(
          'Always closed: the system treats this name as a device or an alternate stream of a file.',
        ),
      };
    default: {
      const text = l10n.t('It is outside the workspace folders and not in {0}.', 'allowedPaths');
      return bySetting('allowedPaths', ['user'], text);
    }
  }
}

/** Why the user is asked about each edit. */
export function whyGuarded({ levels, ...guard }: NonNullable<Explanation['guard']>): Why {
  const text = guardText(guard, namesOf(levels));
  return guard.guarded.by === 'guardedPaths' ? bySetting(guard.guarded.by, levels, text) : { text };
}

function whyTooLarge({ tooLarge }: Explanation): Why | undefined {
  if (!tooLarge) return undefined;
  const { levels } = tooLarge;
  const [size, limit] = [tooLarge.size.toLocaleString(), tooLarge.limit.toLocaleString()];
  const where = namesOf(levels);
  const text = l10n.t('It has {0} bytes; {1} allows {2} ({3}).', size, 'maxFileSize', limit, where);
  return bySetting('maxFileSize', levels, text);
}

/** A broken pattern closes everything. */
function whyBroken({ redaction }: Explanation): Why | undefined {
  if (!redaction || !('broken' in redaction)) return undefined;
  const [broken, where] = [oneLine(redaction.broken), namesOf(redaction.levels)];
  const text = l10n.t('A pattern of {0} cannot be used: {1} ({2}).', 'redact', broken, where);
  return bySetting('redact', redaction.levels, text);
}

function whatIsRedacted({ redaction }: Explanation): Why | undefined {
  if (!redaction || !('places' in redaction)) return undefined;
  const { places, levels } = redaction;
  const text = l10n.t('Redacted by {0} ({1}), places: {2}.', 'redact', namesOf(levels), places);
  return bySetting('redact', levels, text);
}

function whyNoEdit({ editOff, kind }: Explanation): Why | undefined {
  if (!editOff) return kind && { text: l10n.t('Only the text of a file can be edited.') };
  if (editOff.by === 'allowedOperations') return whyOff(editOff.levels);
  return { text: l10n.t('This workspace is not trusted: agents may only read.'), place: 'trust' };
}

function whyOff(levels: readonly Level[]): Why {
  const text = l10n.t('Switched off by {0} ({1}).', 'allowedOperations', namesOf(levels));
  return bySetting('allowedOperations', levels, text);
}

function whyUnlisted({ unlisted }: Explanation): Why | undefined {
  if (!unlisted) return undefined;
  const text = {
    link: l10n.t('Links are not listed.'),
    ignored: l10n.t('Excluded by .gitignore, files.exclude or search.exclude.'),
    empty: l10n.t('It is empty.'),
  }[unlisted];
  return { text };
}

const bySetting = (setting: string, levels: readonly Level[], text: string): Why => ({
  text,
  place: { setting: `workspaceMcp.access.${setting}`, level: levels.at(-1) },
});

function namesOf(levels: readonly Level[]): string {
  const names: Record<Level, string> = {
    user: l10n.t('your settings'),
    workspace: l10n.t('workspace settings'),
    folder: l10n.t('folder settings'),
  };
  return levels.map((level) => names[level]).join(', ') || l10n.t('the default');
}
