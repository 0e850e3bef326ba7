/** The end of the line on which no bracket or string is open any more. */
export function endOfStatement(text: string, from: number): number {
  let depth = 0;
  const token =
    /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|[([{]|[)\]}]|\\\n|\n/g;
  token.lastIndex = from;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [one] = found;
    if (/^[([{]/.test(one)) depth++;
    else if (/^[)\]}]/.test(one)) depth--;
    if (depth < 0 || (depth === 0 && /^[#\n]/.test(one)))
      return from + text.slice(from, found.index).trimEnd().length;
  }
  return text.trimEnd().length;
}
