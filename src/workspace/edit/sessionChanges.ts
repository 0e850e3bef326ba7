import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { type AgentEdit, type Deed, isNothing, isText, type KeptFile, movedUri } from './journal.ts';

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
export function changesIn(edits: readonly AgentEdit[]): SessionChange[] {
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
  if (type === 'move') return [];
  if (type === 'bytes' && isNothing(deed.before)) return [{ uri, path, became: 'created' }];
  if (!('files' in deed)) return [{ uri, path, became: 'changed' }];
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
  return bytes && isText(bytes) ? withLf(new TextDecoder().decode(bytes)) : undefined;
}
