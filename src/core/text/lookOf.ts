/**
 * How a text looks: the same for other spaces, quotes and dashes, and for composed letters and those that are not. Compatibility
 * decomposition (Unicode, UAX #15) makes all spaces one, and takes letters apart.
 */
export function lookOf(text: string): string {
  if (/^[ -~]*$/.test(text)) return text; // nearly all names
  return text
    .normalize('NFKD')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}
