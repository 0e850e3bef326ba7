/** What is wrong in a prompt file; the features say it in the user's language. */
export type PromptSyntaxProblem =
  | 'headerOpen'
  | 'headerLine'
  | 'fieldTwice'
  | 'textOpen'
  | 'textAfter'
  | 'toml'
  | 'noPrompt';

/** Why a prompt file cannot be read, and where: an offset in UTF-16 units. */
export class PromptSyntaxError extends Error {
  readonly problem: PromptSyntaxProblem;
  readonly offset: number;

  constructor(problem: PromptSyntaxProblem, offset: number) {
    super(problem);
    this.problem = problem;
    this.offset = offset;
  }
}
