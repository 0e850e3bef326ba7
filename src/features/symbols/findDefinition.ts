import * as z from 'zod';
import { counted } from '../../core/text/counted.ts';
import { type Definition, hitsAt, openPlaces, placeOf } from '../../services/language/symbols/places.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';
import { grouped, noteOnClosed, symbolArguments, titleOf } from './shown.ts';

const WANTED = {
  definition: 'definitions',
  declaration: 'declarations',
  type_definition: 'type definitions',
  implementation: 'implementations',
} as const;

export const findDefinition = defineReadTool({
  name: 'find_definition',
  title: 'Find definition in VS Code',
  description:
    'Finds where a symbol, its type or its implementations are defined, with the language server. Use it on a name you see in code: pass path, line and symbol.',
  group: 'language',
  hints: { search: 'implementation, type' },
  input: z.strictObject({
    ...symbolArguments,
    kind: z.enum(['definition', 'declaration', 'type_definition', 'implementation']).default('definition'),
    limit: args.limit(50),
  }),
  async run({ kind, limit, ...wanted }, ctx, { signal }) {
    const { providers, files } = ctx;
    const target = await resolveSymbol(wanted, ctx, signal);
    const { document, position } = target;
    const what = WANTED[kind];
    const found = await providers.ask<Definition>(what, document, signal, position);
    if (found.length === 0) return text(`No ${what} of ${titleOf(target)}. ${providers.why(what, document)}`);
    const { open, closed } = await openPlaces(found.map(placeOf), files);
    const lines = grouped(await hitsAt(open.slice(0, limit), files));
    const more = open.length > limit && `${limit} of ${open.length} ${what}. Raise limit for the rest.`;
    const heading = `${counted(open.length, what.slice(0, -1), what)} of ${titleOf(target)}${open.length > 0 ? ':' : '.'}`;
    return text([heading, ...lines].join('\n'), more, noteOnClosed(closed));
  },
});
