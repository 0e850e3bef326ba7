import type { PlannedAction } from '../../access/consent/types.ts';
import { UserError } from '../../core/errors.ts';
import type { Context } from '../context.ts';

/** The settings by which VS Code saves all editors before it runs something: not for commands, which see the disk. */
const SETTINGS = {
  task: { section: 'task', name: 'saveBeforeRun', isOn: (value: unknown) => value !== 'never' },
  tests: { section: 'testing', name: 'saveBeforeTest', isOn: (value: unknown) => value !== false },
} as const;

/** The request with the files that VS Code saves first: part of what the user allows, so they are asked whatever they have allowed. */
export function savingFirst(action: PlannedAction, what: keyof typeof SETTINGS, ctx: Context): PlannedAction {
  const saves = savedFirst(what, ctx);
  return saves.length > 0
    ? { ...action, arguments: { ...action.arguments, saves }, everyTime: true }
    : action;
}

/**
 * To be called right before something runs: the user may have typed since they were asked.
 *
 * @param asked the request that they have allowed
 * @param isSet whether their settings allow such a request, whatever it saves
 * @throws UserError if VS Code would save a text that they were not asked about
 */
export function requireAskedAbout(
  asked: PlannedAction,
  what: keyof typeof SETTINGS,
  isSet: (action: PlannedAction) => boolean,
  ctx: Context,
): void {
  const known = asked.arguments?.saves;
  const isNew = (path: string) => !(Array.isArray(known) && known.includes(path));
  if (savedFirst(what, ctx).some(isNew) && !isSet({ ...asked, everyTime: true }))
    throw new UserError(
      'the user has typed meanwhile, and VS Code would save that text first. Nothing ran. Call it again: the user is asked about that',
    );
}

function savedFirst(what: keyof typeof SETTINGS, { vscode, files }: Context): string[] {
  const { section, name, isOn } = SETTINGS[what];
  if (!isOn(vscode.workspace.getConfiguration(section).get(name))) return [];
  return unsaved(vscode).map(({ uri }) => files.displayPath(uri));
}

/** The note for agents on unsaved text, which a command has not seen. */
export function unsavedNote({ vscode, files }: Context): string | undefined {
  const paths = unsaved(vscode)
    .filter(({ uri }) => files.mayKnow(uri))
    .map(({ uri }) => files.displayPath(uri));
  if (paths.length === 0) return undefined;
  return `unsaved text of ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''} was not on the disk for it; save_files saves it.`;
}

const unsaved = ({ workspace: { textDocuments, notebookDocuments } }: Context['vscode']) =>
  [...textDocuments, ...notebookDocuments].filter(({ isDirty, isUntitled }) => isDirty && !isUntitled);
