import type * as vscode from 'vscode';
import { withLf } from '../../../core/text/replacements.ts';
import { type AgentEdit, type Deed, type KeptFile, movedUri } from '../journal.ts';

/** What some edits together changed in one file. Texts have `\n` between the lines; empty before it was made, and once it is deleted. */
export interface SessionChange {
  uri: vscode.Uri;
  path: string;
  /** Its name before, if it was moved. */
  from?: string;
  before: string;
  after: string;
}

/** What edits changed, file by file, from the first to the last; what others changed in the same lines is not told apart. */
export function changesIn(edits: readonly AgentEdit[]): SessionChange[] {
  const changes = new Map<string, Draft>();
  for (const deed of edits.flatMap(({ deeds }) => deeds)) {
    if (deed.type === 'move') follow(changes, deed);
    for (const { uri, path, ...texts } of textsOf(deed)) {
      const known = changes.get(`${uri}`);
      changes.set(`${uri}`, { ...{ uri, path }, ...known, ...texts, before: known?.before ?? texts.before });
    }
  }
  const all = [...changes.values()].map(({ before = '', after = '', ...file }) => ({
    ...file,
    before,
    after,
  }));
  return all.filter(({ before, after, from }) => before !== after || from !== undefined);
}

/** The texts of what was only moved are not known. */
type Draft = Omit<SessionChange, 'before' | 'after'> & { before?: string; after?: string };

function follow(changes: Map<string, Draft>, deed: Deed & { type: 'move' }): void {
  const { uri, path, to, toPath } = deed;
  const inside = [...changes.values()].filter((one) => movedUri(one.uri, uri, to) !== one.uri);
  for (const one of inside) {
    changes.delete(`${one.uri}`);
    const moved = movedUri(one.uri, uri, to);
    changes.set(`${moved}`, {
      ...one,
      uri: moved,
      path: toPath + one.path.slice(path.length),
      from: one.from ?? one.path,
    });
  }
  if (inside.length === 0) changes.set(`${to}`, { uri: to, path: toPath, from: path });
}

/** The texts before and after a deed; none of notebooks, and of files that are not text. */
function textsOf(deed: Deed): Omit<SessionChange, 'from'>[] {
  const { uri, path } = deed;
  if (deed.type === 'edit') return [{ uri, path, before: deed.before, after: deed.after }];
  if (deed.type !== 'create' && deed.type !== 'copy' && deed.type !== 'delete') return [];
  return (deed.files ?? []).flatMap((file) => {
    const text = textOf(file);
    const name = path + file.uri.path.slice(uri.path.length);
    if (text === undefined) return [];
    const [before, after] = deed.type === 'delete' ? [text, ''] : ['', text];
    return [{ uri: file.uri, path: name, before, after }];
  });
}

function textOf({ bytes }: KeptFile): string | undefined {
  if (!bytes || bytes.includes(0)) return undefined;
  return withLf(new TextDecoder().decode(bytes));
}
