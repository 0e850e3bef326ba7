import * as z from 'zod';
import { walkHierarchy } from '../../services/language/symbols/hierarchy.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import * as args from '../arguments.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';
import { hierarchyText } from './hierarchyText.ts';
import { titleOf } from './shown.ts';
import { symbolArguments } from './symbolArguments.ts';

/** Callers of a function, or what it calls. */
export const findCalls = defineTool({
  name: 'find_calls',
  title: 'Find calls in VS Code',
  description:
    'Finds the callers of a function, or the functions that it calls, over several levels. Use it before you change a function.',
  group: 'language',
  operation: 'read',
  annotations: LOOKS_ONLY,
  hints: { search: 'call hierarchy' },
  input: z.strictObject({
    ...symbolArguments,
    direction: z.enum(['in', 'out']).default('in').describe('in: callers'),
    depth: z.int().min(1).max(5).default(1),
    limit: args.limit(100),
  }),
  async run({ direction, depth, limit, ...wanted }, ctx, { signal }) {
    const target = await resolveSymbol(wanted, ctx, signal);
    const walk = await walkHierarchy(target, { direction, depth, limit }, ctx, signal);
    const title = titleOf(target);
    if (!walk) return text(`No calls of ${title}. ${ctx.providers.why('a call hierarchy', target.document)}`);
    const heading = (name: string) => (direction === 'in' ? `Callers of ${name}` : `Called by ${name}`);
    return hierarchyText(
      walk,
      [heading(title), heading],
      'find_references shows uses that are no calls.',
      ctx,
    );
  },
});
