import type { Context } from '../context.ts';
import { sources } from './index.ts';
import { PromptList } from './promptList.ts';

/** The prompts of an agent without roots of its own, for the user to look at. */
export class PromptPreview extends PromptList {
  readonly dispose: () => void;

  constructor(ctx: Context) {
    super(sources, ctx);
    this.dispose = () => ctx.hosted.dispose();
  }
}
