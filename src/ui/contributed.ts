/** What package.json contributes, as the running VS Code hands it out. Pure. */

/** A text of package.json: VS Code makes an object of it where the display language has another one. */
type Text = string | { value: string; original: string };

/** The commands with the titles that the palette shows. */
export function contributedCommands(packageJSON: {
  contributes: { commands: readonly { command: string; title: Text }[] };
}): { command: string; title: string }[] {
  return packageJSON.contributes.commands.map(({ command, title }) => ({
    command,
    title: typeof title === 'string' ? title : title.value,
  }));
}
