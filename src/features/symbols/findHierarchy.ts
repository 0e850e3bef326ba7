import type * as vscode from 'vscode';
import * as z from 'zod';
import { counted } from '../../core/messages.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { type Walk, walkHierarchy } from '../../services/language/symbols/hierarchy.ts';
import {
  type Definition,
  hitsAt,
  type OpenPlace,
  openPlaces,
  placeOf,
} from '../../services/language/symbols/places.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';
import { hierarchyText, symbolArguments, titleOf } from './shown.ts';

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
    const walk = await walkHierarchy(target, { direction, depth, limit }, ctx, signal);
    const title = titleOf(target, wanted.path);
    if (!walk) return text(`No calls of ${title}. ${ctx.providers.why('a call hierarchy', target.document)}`);
    const heading = (name: string) => (direction === 'in' ? `Callers of ${name}` : `Called by ${name}`);
    return hierarchyText(
      walk,
      [heading(title), heading],
      'find_references shows uses that are no calls.',
      ctx,
      direction === 'in' ? await noteOnProjects(target, walk, ctx, signal) : undefined,
    );
  },
});

/** TypeScript finds callers only in the project of the function, but references in all. */
async function noteOnProjects(
  { document, position, location }: Target,
  { levels: [callers], isCut }: Walk,
  { providers, files }: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isCut || !isTypeScript(document.languageId)) return undefined;
  const found = await providers.ask<vscode.Location>('references', document, signal, position);
  const { open } = await openPlaces(found, files);
  const paths = new Set(open.map((one) => one.location.path));
  for (const one of [{ location }, ...(callers?.places ?? [])]) paths.delete(one.location.path);
  if (paths.size === 0) return undefined;
  return `${counted(paths.size, 'more file uses it', 'more files use it')} without a call, or call it from another TypeScript project: see find_references.`;
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
    const walk =
      (await walkHierarchy(target, { direction, depth, limit }, ctx, signal)) ??
      (direction === 'subtypes' ? await implementationsOf(target, limit, ctx, signal) : undefined);
    if (!walk) {
      const why = ctx.providers.why('a type hierarchy', target.document);
      return text(`No ${direction} of ${title}. ${why} get_symbol shows how the type is declared.`);
    }
    const heading = (name: string) => `${direction === 'subtypes' ? 'Subtypes' : 'Supertypes'} of ${name}`;
    return hierarchyText(walk, [heading(title), heading], 'find_references shows its uses.', ctx);
  },
});

/** Some servers, such as TypeScript's, know implementations but no hierarchy. */
async function implementationsOf(
  { document, position, location, name, symbol }: Target,
  limit: number,
  { providers, files }: Context,
  signal: AbortSignal,
): Promise<Walk | undefined> {
  const found = await providers.ask<Definition>('implementations', document, signal, position);
  if (found.length === 0) return undefined;
  const { open, closed } = await openPlaces(found.map(placeOf), files);
  const distant = open.filter(
    (one) => one.location.path !== location.path || one.range.start.line !== position.line,
  );
  const isOfClass = isTypeScript(document.languageId) && symbol?.kind === 'class';
  const others = isOfClass ? await onlyTypes(distant, files) : distant;
  const levels = others.length > 0 ? [{ of: name, places: others.slice(0, limit) }] : [];
  return { levels, closed, isCut: others.length > limit };
}

/** Among TypeScript's implementations of a class are variables of its type. */
async function onlyTypes(places: readonly OpenPlace[], files: Context['files']): Promise<OpenPlace[]> {
  const hits = await Promise.all(places.map((place) => hitsAt([place], files)));
  return places.filter((_, index) => DECLARES_TYPE.test(hits[index]?.[0]?.text ?? ''));
}

const DECLARES_TYPE = /\b(class|interface|extends|implements)\b/;
