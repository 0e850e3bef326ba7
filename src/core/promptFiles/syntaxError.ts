/** Why a prompt file cannot be read, and where: an offset in UTF-16 units. */
export class PromptSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
