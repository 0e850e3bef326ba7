/** The answers of `select_window`. The window answers connected agents; the shim answers agents without a window. */
import { UserError } from './errors.ts';
import { visible } from './text/visible.ts';

export const SELECT_WINDOW = { name: 'select_window', group: 'context', needs: 'other windows' } as const;

/** A VS Code window of the user, this one or another. */
export interface OpenWindow {
  id: string;
  /** A path is absolute, or a URI if the folder is not on this machine's disk. */
  folders: readonly { name: string; path: string }[];
  /** Name and version of the editor. */
  ide: string;
  trusted: boolean;
  /** When it last had the focus, in milliseconds since the epoch. */
  focusedAt?: number;
  isThis: boolean;
}

/** The structured result, and the same as text. */
type Answer = [data: Record<string, unknown>, text: string];

/** The list of windows, or the one that is selected. @throws UserError with the list of open windows if this one is not open */
export const windowsAnswer = (open: readonly OpenWindow[], id?: string): Answer =>
  id === undefined ? listedWindows(open) : selectedWindow(open, id);

const listedWindows = (open: readonly OpenWindow[]): Answer => [
  {
    windows: open.map(({ id, folders, ide, trusted, isThis }) => ({
      id,
      folders,
      editor: ide,
      trusted,
      ...(isThis && { current: true }),
    })),
  },
  open.map(windowInWords).join('\n') || 'No window answers.',
];

function selectedWindow(open: readonly OpenWindow[], id: string): Answer {
  const selected = open.find((window) => window.id === id);
  if (!selected) {
    const others = open.length > 0 ? ['These are open:', ...open.map(windowInWords)] : ['None is open.'];
    throw new UserError(`No window with the id "${visible(id)}" is open. ${others.join('\n')}`, {
      lines: true,
    });
  }
  return [
    { window: id, folders: selected.folders },
    `This session continues in window ${id} (folders: ${foldersInWords(selected)}).`,
  ];
}

export const switchedOff = (tool: string, setting: string): string =>
  `${tool} is switched off here by the setting ${setting}. Only the user can change it.`;

function windowInWords({ id, ide, trusted, isThis, ...window }: OpenWindow): string {
  const notes = [isThis && 'this one', visible(ide), !trusted && 'not trusted'].filter(Boolean);
  return `${id} (${notes.join(', ')}): ${foldersInWords(window)}`;
}

const foldersInWords = ({ folders }: Pick<OpenWindow, 'folders'>): string =>
  folders.map(({ name, path }) => visible(`${name} (${path})`)).join(', ') || 'no folder';
