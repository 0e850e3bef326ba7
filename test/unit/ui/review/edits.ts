import type { AgentEdit, Deed } from '../../../../src/workspace/edit/journal.ts';

/** A URI, as far as the review needs it. */
export const uriAt = (path: string) => {
  const uri = {
    scheme: 'file',
    authority: '',
    path,
    with: (change: { path?: string }) => uriAt(change.path ?? path),
    toString: () => `file://${path}`,
  };
  return uri as unknown as Deed['uri'];
};

/** An edit of an agent; deeds name their files by path. */
export function editBy(author: number, id: number, ...deeds: Deed[]): AgentEdit {
  return { id, at: id, tool: 'edit_file', author: { id: author, agent: `Agent ${author}` }, deeds };
}

const at = (path: string) => ({ uri: uriAt(`/ws/${path}`), path });

export const changed = (path: string, before: string, after: string): Deed => ({
  type: 'edit',
  ...at(path),
  before,
  after,
});

const fileAt = (path: string, text: string) => ({ uri: at(path).uri, bytes: Buffer.from(text) });

export const created = (path: string, text: string): Deed => ({
  type: 'create',
  ...at(path),
  files: [fileAt(path, text)],
});

/** @param texts of the files in it by path; undefined if they were not kept */
export const deleted = (path: string, texts: Record<string, string> | undefined): Deed => ({
  type: 'delete',
  ...at(path),
  files: texts && Object.entries(texts).map(([file, text]) => fileAt(file, text)),
});

export const moved = (path: string, toPath: string): Deed => ({
  type: 'move',
  ...at(path),
  to: at(toPath).uri,
  toPath,
});
