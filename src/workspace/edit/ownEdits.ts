import type * as vscode from 'vscode';
import { policyPath } from '../../access/policyInputs.ts';
import { UserError, visible } from '../../core/messages.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { Location } from '../read/location.ts';
import type { EditAccess } from './fileEdit.ts';
import { type AgentEdit, type Author, type Deed, type KeptFile, movedUri } from './journal.ts';
import { differenceOf, planUndo, type Undo } from './undo.ts';

/** Most files of which is remembered when the agent last got their text. */
const MOST_SEEN = 1_000;

/** An edit as its agent may know it: without texts, and without files that are closed to the agent now. */
export interface OwnEdit extends Pick<AgentEdit, 'id' | 'tool' | 'at'> {
  paths: string[];
}

/** The edits of one agent, and what other agents changed since it last got a text. */
export function ownEdits(access: EditAccess) {
  const { journal, author, policy, redactor } = access;
  /** The last edit of the window when the agent got the text of a file, by URI. */
  const seen = new Map<string, number>();

  const all = (): AgentEdit[] => journal.edits.filter((edit) => edit.author.id === author().id);

  const shownPath = (uri: vscode.Uri, path: string) => (policy.mayList(policyPath(uri)) ? [path] : []);
  const pathsOf = (deed: Deed): string[] => [
    ...shownPath(deed.uri, deed.path),
    ...(deed.type === 'move' ? shownPath(deed.to, deed.toPath) : []),
  ];

  async function plan(edit: AgentEdit): Promise<Undo> {
    if (journal.isKept(edit.id)) throw new UserError('the user has kept its changes, or committed them.');
    const later = journal.edits.filter((one) => one.id > edit.id);
    return planUndo(edit, { ...access, later });
  }

  /** Call it with each file whose whole text the agent gets. */
  function saw({ uri }: Location): void {
    const key = uri.toString();
    seen.delete(key);
    seen.set(key, journal.last);
    const [oldest] = seen.keys();
    if (seen.size > MOST_SEEN && oldest) seen.delete(oldest);
  }

  /**
   * What other agents changed in a file since this agent last got its text; undefined if they did not, or it is not known.
   *
   * @param text redacted, with `\n` between the lines
   */
  function othersChanges({ uri, path }: Location, text: string): string | undefined {
    const since = seen.get(uri.toString());
    if (since === undefined || since === journal.last) return undefined;
    const others = journal.edits.filter(
      (edit) =>
        edit.id > since && edit.author.id !== author().id && edit.deeds.some((deed) => isTextOf(deed, uri)),
    );
    const first = others[0]?.deeds.find((deed) => isTextOf(deed, uri));
    if (first?.type !== 'edit') return undefined;
    const names = [...new Set(others.map((edit) => visible(nameOf(edit.author))))].join(' and ');
    return `Another agent, ${names}, changed it since you read it:\n${differenceOf(path, redactor.text(first.before, path), text)}`;
  }

  return {
    saw,
    othersChanges,

    /** Those that can be taken back, newest first. */
    list: (): OwnEdit[] =>
      all()
        .filter(({ id }) => !journal.isKept(id))
        .map(({ id, tool, at, deeds }) => ({ id, tool, at, paths: [...new Set(deeds.flatMap(pathsOf))] }))
        .reverse(),

    /** What they changed in files that are open to the agent, redacted; those of one edit, if an id is given. */
    changed: (id?: number): SessionChange[] =>
      changesIn(all().filter((edit) => id === undefined || edit.id === id))
        .filter(({ uri }) => policy.mayList(policyPath(uri)))
        .map((one) => ({
          ...one,
          before: redactor.text(one.before, one.path),
          after: redactor.text(one.after, one.path),
        })),

    /**
     * Plans to take back one of them, the last one without an id.
     *
     * @throws UserError if there is no such edit, or it cannot be taken back; NotFoundError
     */
    async undo(id?: number): Promise<Undo> {
      const edit = id === undefined ? all().at(-1) : journal.edits.find((one) => one.id === id);
      if (!edit)
        throw new UserError(
          id === undefined
            ? 'There is no edit of yours to take back in this session.'
            : `There is no edit ${id} of yours: it was taken back, or is too old. Pass list: true.`,
        );
      if (edit.author.id !== author().id)
        throw new UserError(`Edit ${edit.id} is not yours. The user can revert it in VS Code.`);
      const undo = await plan(edit).catch((error) => {
        if (!(error instanceof UserError)) throw error;
        const hint = id === undefined ? ' Pass list: true for the ids of others.' : '';
        throw new UserError(`Edit ${edit.id} (${edit.tool}) cannot be taken back: ${error.message}${hint}`, {
          lines: true,
        });
      });
      if (undo.edits.length + undo.operations.length > 0) return undo;
      journal.remove(edit.id);
      throw new UserError(`Edit ${edit.id} (${edit.tool}) is taken back already.`);
    },

    /** Call it with each file that the agent edited: its answer shows no changes of other agents. */
    edited(location: Location): void {
      if (!seen.has(location.uri.toString())) saw(location);
    },

    /** As `othersChanges`; if no other agent did, what has changed since this agent's last edit of the file. */
    changes(location: Location, text: string): string | undefined {
      const { uri, path } = location;
      const own = all()
        .flatMap(({ deeds }) => deeds)
        .findLast((deed) => isTextOf(deed, uri));
      const before = own?.type === 'edit' ? redactor.text(own.after, path) : text;
      const others = othersChanges(location, text);
      if (others !== undefined || before === text) return others;
      return `Since your last edit of it:\n${differenceOf(path, before, text)}`;
    },
  };
}

const isTextOf = (deed: Deed, uri: vscode.Uri): boolean =>
  deed.type === 'edit' && deed.uri.toString() === uri.toString();

const nameOf = ({ agent, number }: Author): string => (number === undefined ? agent : `${agent} #${number}`);

/** What some edits together changed in one file or folder. Texts have `\n` between the lines; empty before it was made, and once it is deleted. */
export interface SessionChange {
  uri: vscode.Uri;
  path: string;
  /** Its name before, if it was moved. */
  from?: string;
  before: string;
  after: string;
  /** What became of it; the only thing known of a folder, a notebook, and a file that is no text. */
  became?: 'changed' | 'created' | 'deleted';
}

type Draft = Omit<SessionChange, 'before' | 'after'> & {
  before?: string | undefined;
  after?: string | undefined;
};

/** What edits changed, file by file, from the first to the last; what others changed in the same lines is not told apart. */
function changesIn(edits: readonly AgentEdit[]): SessionChange[] {
  const changes = new Map<string, Draft>();
  for (const deed of edits.flatMap(({ deeds }) => deeds)) {
    if (deed.type === 'move') follow(changes, deed);
    for (const now of draftsOf(deed)) {
      const known = changes.get(`${now.uri}`);
      const became = together(known?.became, now.became);
      if (became === 'nothing') changes.delete(`${now.uri}`);
      else
        changes.set(`${now.uri}`, {
          ...known,
          ...now,
          before: known?.before ?? now.before,
          ...(became && { became }),
        });
    }
  }
  const all = [...changes.values()].map(({ before = '', after = '', from, became, ...file }) => ({
    ...file,
    before,
    after,
    ...(became && { became }),
    ...(from !== undefined && from !== file.path && became !== 'created' && { from }),
  }));
  return all.filter(({ before, after, from, became }) => before !== after || from || became);
}

function together(then: Draft['became'], now: Draft['became']): Draft['became'] | 'nothing' {
  if (then === 'created' && now === 'deleted') return 'nothing';
  if (then === 'deleted' && now === 'created') return 'changed';
  return then === 'created' ? then : (now ?? then);
}

function follow(changes: Map<string, Draft>, deed: Deed & { type: 'move' }): void {
  const { uri, path, to, toPath } = deed;
  const inside = [...changes.values()].filter((one) => movedUri(one.uri, uri, to) !== one.uri);
  const put = (draft: Draft) => {
    const over = changes.get(`${draft.uri}`);
    if (over) changes.set(`${draft.uri} ${changes.size}`, over); // deleted before, for this move
    changes.set(`${draft.uri}`, draft);
  };
  for (const one of inside) {
    changes.delete(`${one.uri}`);
    const [moved, name] = [movedUri(one.uri, uri, to), toPath + one.path.slice(path.length)];
    put({ ...one, uri: moved, path: name, from: one.from ?? one.path });
  }
  if (!inside.some((one) => `${one.uri}` === `${uri}`)) put({ uri: to, path: toPath, from: path });
}

function draftsOf(deed: Deed): Draft[] {
  const { type, uri, path } = deed;
  if (type === 'edit') return [{ uri, path, before: deed.before, after: deed.after }];
  if (type === 'notebook' || type === 'unstored') return [{ uri, path, became: 'changed' }];
  if (type === 'move') return [];
  const became = type === 'delete' ? 'deleted' : 'created';
  if (!deed.files) return [{ uri, path, became }];
  return deed.files.map((file) => {
    const text = textOf(file);
    const [before, after] = became === 'deleted' ? [text, ''] : ['', text];
    const name = path + file.uri.path.slice(uri.path.length);
    return { uri: file.uri, path: name, became, before, after };
  });
}

function textOf({ bytes }: KeptFile): string | undefined {
  if (!bytes || bytes.includes(0)) return undefined;
  return withLf(new TextDecoder().decode(bytes));
}
