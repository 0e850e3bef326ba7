import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import type { Action } from '../../services/language/codeActions.ts';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';
import { actionArguments, withActions } from './actionPlace.ts';

/** What can be fixed or refactored at a place. */
export const listCodeActions = defineReadTool({
  name: 'list_code_actions',
  title: 'List code actions in VS Code',
  description:
    'Lists the quick fixes, refactorings and other code actions for lines or a problem. Use it before apply_code_action.',
  group: 'language',
  hints: { search: 'quick fix, refactor' },
  input: z.strictObject({ ...actionArguments, limit: args.limit(100) }),
  run: ({ limit, ...place }, ctx, { signal }) =>
    withActions(place, ctx, signal, async ({ location, document, actions }) => {
      const title = `${visible(location.path)}${place.line ? `:${place.line}` : ''}`;
      if (actions.length === 0)
        return text(`No code actions at ${title}. ${ctx.providers.why('code actions', document)}`);
      const lines = actions
        .slice(0, limit)
        .map((one) => lineOf(one, (said) => ctx.files.redactor.text(said, location.path)));
      const more = actions.length > limit && `${limit} of ${actions.length}. Raise limit, or pass kind.`;
      return text([title, ...lines].join('\n'), more);
    }),
});

/** An action as a line of text. */
export const lineOf = ({ title, kind, isPreferred }: Action, shown: (said: string) => string): string =>
  `  ${kind || 'command'}: ${visible(shown(title))}${isPreferred ? ' (preferred)' : ''}`;
