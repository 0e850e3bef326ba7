/** A line of a listing: `17: code` of this server and of `rg`, a tab of `cat -n`, an arrow or a bar of other agents. */
const NUMBERED = /^ *(\d+)(?:[\t→]| ?[:|-] ?)(.*)$/;

export const LISTED = 'begins with line numbers of a listing: leave them out';

/** A text without the line numbers of a listing; undefined unless each line has one, the next after that of the line before. */
export function withoutLineNumbers(text: string): string | undefined {
  const bare: string[] = [];
  let last: number | undefined;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [, number, rest = ''] = NUMBERED.exec(line) ?? [];
    if (number === undefined || (last !== undefined && Number(number) !== last + 1)) return undefined;
    last = Number(number);
    bare.push(rest);
  }
  return bare.join('\n');
}
