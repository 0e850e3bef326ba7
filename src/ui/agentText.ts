/**
 * Text that comes from an agent, fit to be shown anywhere: in one line, with control and bidirectional characters made
 * visible, and without what VS Code would turn into an icon or a link that runs a command.
 */
export function oneLine(text: string, most = 200): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  const visible = cut.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return (
    visible
      // One left open would become part of the next link, and change what that says.
      .replace(/\[(?=[^\]]*$)/g, '(')
      // Messages make links of [text](command:…), items of lists icons of $(name): a space in between keeps them text.
      .replaceAll('](', '] (')
      .replaceAll('$(', '$ (')
  );
}
