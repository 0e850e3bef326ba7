/** What a workspace has to be after edits by agents and a person, in the plainest way: whole lines, all of them different. */

/** A text file. It stays the same object when it is moved, or deleted and restored. */
export interface TextFile {
  lines: string[];
  saved: string[];
  isDirty: boolean;
  eol: '\n' | '\r\n';
}

/** What one call of an agent did. */
export type Change = { id: number; agent: number } & (
  | { type: 'edit'; file: TextFile; removed: string[]; added: string[]; around: (string | undefined)[] }
  | { type: 'create'; file: TextFile; text: string }
  | { type: 'delete'; root: string; files: Map<string, TextFile> }
  | { type: 'move'; from: string; to: string }
);

/** Whether an undo has to succeed, has to be refused, or may be either. */
export type Verdict = 'done' | 'refused' | 'either';

export const textOf = ({ eol }: TextFile, lines: readonly string[]): string => lines.join(eol);

export class Model {
  readonly files = new Map<string, TextFile>();
  /** Changes that can be taken back, oldest first. */
  readonly changes: Change[] = [];
  /** Id of the next change. */
  nextId = 0;

  add(path: string, text: string): TextFile {
    const lines = text.split(/\r?\n/);
    const file: TextFile = {
      lines,
      saved: [...lines],
      isDirty: false,
      eol: text.includes('\r') ? '\r\n' : '\n',
    };
    this.files.set(path, file);
    return file;
  }

  pathOf(file: TextFile): string | undefined {
    return [...this.files].find(([, one]) => one === file)?.[0];
  }

  /** The paths at or under a path. */
  under(root: string): string[] {
    return [...this.files.keys()].filter((path) => path === root || path.startsWith(`${root}/`));
  }

  /** An agent replaces whole lines; a file without unsaved text is saved again. */
  edit(agent: number, file: TextFile, at: number, count: number, added: string[]): void {
    const around = [file.lines[at - 1], file.lines[at + count]];
    const removed = this.#replace(file, at, count, added);
    this.#did({ agent, type: 'edit', file, removed, added, around });
  }

  create(agent: number, path: string, text: string): void {
    this.#did({ agent, type: 'create', file: this.add(path, text), text });
  }

  delete(agent: number, root: string): void {
    const files = new Map(this.under(root).map((path) => [path, this.files.get(path) as TextFile]));
    for (const path of files.keys()) this.files.delete(path);
    this.#did({ agent, type: 'delete', root, files });
  }

  move(agent: number, from: string, to: string): void {
    this.#move(from, to);
    this.#did({ agent, type: 'move', from, to });
  }

  /** @param exists whether there is something at a path, empty folders too */
  verdictOf(change: Change, exists: (path: string) => boolean): Verdict {
    switch (change.type) {
      case 'edit': {
        const at = this.pathOf(change.file) === undefined ? -1 : indexOf(change.file.lines, change.added);
        if (at < 0) return 'refused';
        const { lines } = change.file;
        const around = [lines[at - 1], lines[at + change.added.length]];
        return `${around}` === `${change.around}` ? 'done' : 'either';
      }
      case 'create': {
        const { file, text } = change;
        const isSame = this.pathOf(file) !== undefined && !file.isDirty && textOf(file, file.saved) === text;
        return isSame ? 'done' : 'refused';
      }
      case 'delete':
        return exists(change.root) ? 'refused' : 'done';
      case 'move':
        return this.under(change.to).length > 0 && !exists(change.from) ? 'done' : 'refused';
    }
  }

  undo(change: Change): void {
    const index = this.changes.indexOf(change);
    this.changes.splice(index, 1);
    if (change.type === 'edit')
      this.#replace(
        change.file,
        indexOf(change.file.lines, change.added),
        change.added.length,
        change.removed,
      );
    else if (change.type === 'create') this.files.delete(this.pathOf(change.file) ?? '');
    else if (change.type === 'delete') for (const [path, file] of change.files) this.files.set(path, file);
    else {
      const { from, to } = change;
      this.#move(to, from);
      for (const later of this.changes.slice(index)) {
        if (later.type === 'move')
          Object.assign(later, { from: moved(later.from, to, from), to: moved(later.to, to, from) });
        if (later.type !== 'delete') continue;
        later.root = moved(later.root, to, from);
        later.files = new Map([...later.files].map(([path, file]) => [moved(path, to, from), file]));
      }
    }
  }

  #replace(file: TextFile, at: number, count: number, added: readonly string[]): string[] {
    const removed = file.lines.splice(at, count, ...added);
    if (!file.isDirty) file.saved = [...file.lines];
    return removed;
  }

  #move(from: string, to: string): void {
    for (const path of this.under(from)) {
      this.files.set(moved(path, from, to), this.files.get(path) as TextFile);
      this.files.delete(path);
    }
  }

  #did(change: Change extends infer One ? (One extends Change ? Omit<One, 'id'> : never) : never): void {
    this.changes.push({ ...change, id: this.nextId });
  }
}

const moved = (path: string, from: string, to: string): string =>
  path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;

function indexOf(lines: readonly string[], block: readonly string[]): number {
  return lines.findIndex((_, at) => block.every((line, index) => lines[at + index] === line));
}
