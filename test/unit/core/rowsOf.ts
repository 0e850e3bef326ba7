/** The rows of a table that is a text: `│` is between its columns, `⏎` stands for a line break, `␍` for CR and `⇥` for a tab. */
export const rowsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((row) =>
      row.split(' │ ').map((cell) => cell.replaceAll('⏎', '\n').replaceAll('␍', '\r').replaceAll('⇥', '\t')),
    );
