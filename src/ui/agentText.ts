/**
 * Text that comes from an agent, fit to be shown in a message: in one line, with control and bidirectional characters made
 * visible, and never a link that runs a command.
 */
export function oneLine(text: string, most = 200): string {
  const visible = text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  // VS Code makes links of [text](command:…) in messages: a space in between keeps it text.
  const unlinked = visible.replaceAll('](', '] (');
  return unlinked.length > most ? `${unlinked.slice(0, most)}…` : unlinked;
}
