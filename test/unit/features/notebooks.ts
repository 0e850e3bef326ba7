import type { Window } from './window.ts';

/** A notebook on the disk, with cells of code. */
export const ipynb = (...sources: (string | string[])[]): string =>
  JSON.stringify({
    nbformat: 4,
    metadata: {},
    cells: sources.map((source) => ({ cell_type: 'code', source, outputs: [] })),
  });

/** A notebook in an editor, with cells of Python. */
export function opensNotebook({ fake, path }: Window, file: string, ...texts: string[]): void {
  const cells = texts.map((text) => ({
    kind: 2,
    document: { getText: () => text, languageId: 'python' },
    outputs: [],
  }));
  fake.notebooks.push({ uri: fake.api.Uri.file(path(file)), isDirty: true, getCells: () => cells });
}
