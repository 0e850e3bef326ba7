import * as z from 'zod';
import { ifUserError } from '../../core/errors.ts';
import { TYPES } from '../../core/kinds.ts';
import { counted } from '../../core/text/cut.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import type { Wanted } from '../../services/language/providerCommands.ts';
import { callersTo } from '../../services/language/symbols/callers.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { noteOnElsewhere, referencesEverywhere } from '../../services/language/symbols/elsewhere.ts';
import { type Extent, type Walk, walkHierarchy } from '../../services/language/symbols/hierarchy.ts';
import { HierarchyByText } from '../../services/language/symbols/hierarchyByText.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';
import { declaresType, hierarchyText, symbolArguments, titleOf } from './shown.ts';

export const findCalls = defineReadTool({
  name: 'find_calls',
  title: 'Find calls in VS Code',
  description:
    'Finds the callers of a function, or the functions that it calls, over several levels. Use it before you change a function.',
  group: 'language',
  hints: { search: 'call hierarchy: callers and callees of a function' },
  input: z.strictObject({
    ...symbolArguments,
    direction: z.enum(['in', 'out']).default('in').describe('in: callers'),
    depth: z.int().min(1).max(5).default(1),
    limit: args.limit(100),
  }),
  async run({ direction, depth, limit, ...wanted }, ctx, { signal }) {
    const target = await resolveSymbol(wanted, ctx, signal);
    const title = titleOf(target, wanted.path);
    const extent = { depth, limit };
    const find = direction === 'in' ? callersOf : callsOf;
    const found = await find(target, extent, ctx, signal);
    if (!found) {
      const why = ctx.providers.why('a call hierarchy', target.document);
      return text(`No call hierarchy of ${title}. ${why} find_references shows its uses.`);
    }
    const heading = (name: string) => (direction === 'in' ? `Callers of ${name}` : `Called by ${name}`);
    const none = noneOf(
      direction === 'in' ? 'callers' : 'outgoing calls',
      target,
      'find_references shows uses that are no calls.',
      ctx,
    );
    return hierarchyText(found.walk, [heading(title), heading], none, ctx, found.how);
  },
});

/** What is said after "none". */
const noneOf = (what: Wanted, { document }: Target, wayOut: string, { providers }: Context): string =>
  [providers.doubt(what, document), wayOut].filter(Boolean).join(' ');

/** A walk, and a note on how it was found. */
interface Found {
  walk: Walk;
  how?: string | undefined;
}

const isFound = (walk: Walk | undefined): walk is Walk =>
  walk !== undefined && (walk.levels.length > 0 || walk.closed > 0);

/** The callers of a function, also in files that the server had not loaded. @throws UserError, CancelledError */
export async function callersOf(
  target: Target,
  extent: Extent,
  ctx: Context,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const uses = await referencesEverywhere(target, ctx, signal).catch(ifUserError(undefined));
  const walk = await callersTo(target, extent, ctx, signal);
  if (!walk) return undefined;
  const notes = [
    walk.why,
    walk.leftOut && `${counted(walk.leftOut, 'more file')} with references not looked at.`,
    uses && noteOnElsewhere(uses.elsewhere, target),
  ];
  return { walk, how: notes.filter(Boolean).join(' ') || undefined };
}

async function callsOf(target: Target, extent: Extent, ctx: Context, signal: AbortSignal): Promise<Found> {
  const walk = await walkHierarchy(target, { direction: 'out', ...extent }, ctx, signal);
  return isFound(walk) ? { walk } : callsByText(target, extent, walk !== undefined, ctx, signal);
}

/** The calls of a function by its text, unless the server gives them: some, such as clangd before 20, know only callers. */
async function callsByText(
  target: Target,
  extent: Extent,
  hasHierarchy: boolean,
  ctx: Context,
  signal: AbortSignal,
): Promise<Found> {
  const { providers } = ctx;
  const { document } = target;
  const isNone =
    hasHierarchy && (isTypeScript(document.languageId) || providers.offers('outgoing calls', document));
  const { unknown, leftOut, ...walk } = isNone
    ? { levels: [], closed: 0, isCut: false, unknown: 0, leftOut: 0 }
    : await new HierarchyByText(target, extent, ctx, signal).called();
  if (hasHierarchy && isFound(walk)) providers.missed('outgoing calls', document);
  const lacks = providers.lacks(hasHierarchy ? 'outgoing calls' : 'a call hierarchy', document);
  const notes = [
    isFound(walk) && `${lacks} These are the definitions of the names that the text calls.`,
    unknown > 0 && `${counted(unknown, 'call has', 'calls have')} no definition that the server knows.`,
    leftOut > 0 && `${counted(leftOut, 'more call was', 'more calls were')} not looked up.`,
  ];
  return { walk, how: notes.filter(Boolean).join(' ') || undefined };
}

export const findTypes = defineReadTool({
  name: 'find_types',
  title: 'Find types in VS Code',
  description:
    'Finds the subtypes or supertypes of a class or interface, over several levels. Use it before you change a type that others extend or implement.',
  group: 'language',
  hints: { search: 'type hierarchy: subclasses, implementations, supertypes' },
  input: z.strictObject({
    ...symbolArguments,
    direction: z.enum(['subtypes', 'supertypes']).default('subtypes'),
    depth: z.int().min(1).max(5).default(1),
    limit: args.limit(100),
  }),
  async run({ direction, depth, limit, ...wanted }, ctx, { signal }) {
    const target = await resolveSymbol(wanted, ctx, signal);
    const title = titleOf(target, wanted.path);
    const extent = { depth, limit };
    const isScript = isTypeScript(target.document.languageId);
    const uses =
      isScript && direction === 'subtypes' ? await referencesEverywhere(target, ctx, signal) : undefined;
    const given = await walkHierarchy(target, { direction, ...extent }, ctx, signal);
    const isSure = isFound(given) || (given && ctx.providers.offers(direction, target.document));
    const { walk, how } = isSure
      ? { walk: given, how: undefined }
      : await typesOtherwise(
          target,
          { direction, ...extent },
          given ? direction : 'a type hierarchy',
          ctx,
          signal,
        );
    const heading = (name: string) => `${direction === 'subtypes' ? 'Subtypes' : 'Supertypes'} of ${name}`;
    const none = noneOf(
      direction,
      target,
      'get_symbol shows how it is declared, find_references its uses.',
      ctx,
    );
    const notes = [how, noteOnElsewhere(uses?.elsewhere ?? [], target)].filter(Boolean).join(' ');
    return hierarchyText(walk, [heading(title), heading], none, ctx, notes);
  },
});

/**
 * Types by implementations, or by what classes name in their heads, for servers without a type hierarchy.
 *
 * @param missing what the server did not give
 */
async function typesOtherwise(
  target: Target,
  { direction, ...extent }: Extent & { direction: 'subtypes' | 'supertypes' },
  missing: 'subtypes' | 'supertypes' | 'a type hierarchy',
  ctx: Context,
  signal: AbortSignal,
): Promise<Found> {
  const { document, symbol } = target;
  const { languageId } = document;
  const { providers } = ctx;
  const byText = new HierarchyByText(target, extent, ctx, signal);
  const isOfType = isTypeScript(languageId) && TYPES.has(symbol?.kind ?? '');
  // gopls answers for a Go type that is no interface with the interfaces that it implements.
  const isUpwards = languageId === 'go' && symbol?.kind !== 'interface';
  if (direction === (isUpwards ? 'supertypes' : 'subtypes')) {
    const walk = await byText.implementations(
      isOfType ? (place) => declaresType(place, ctx) : async () => true,
    );
    if (isTypeScript(languageId)) {
      const isSure = isFound(walk) || providers.offers('implementations', document);
      return { walk, how: isSure ? undefined : providers.why('implementations', document) };
    }
    if (isFound(walk))
      return { walk, how: `${providers.lacks(missing, document)} These are implementations.` };
  }
  const { leftOut = 0, ...walk } = await byText[direction]();
  if (isFound(walk)) {
    providers.missed(missing, document);
    if (direction === 'subtypes') providers.missed('implementations', document);
  }
  return { walk, how: `${providers.lacks(missing, document)} ${lookedAt(direction, leftOut)}` };
}

function lookedAt(direction: 'subtypes' | 'supertypes', leftOut: number): string {
  const named = direction === 'subtypes' ? 'other types name' : 'it names';
  const more = leftOut > 0 ? `, and not in ${counted(leftOut, 'more file')} with the name` : '';
  return `Only what ${named} in a declaration was looked at${more}.`;
}
