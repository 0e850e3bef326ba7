import type * as vscode from 'vscode';
import * as z from 'zod';
import { cutText, fittingLines, visibleText } from '../../core/messages.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { declarationOf, documentationOf } from '../../services/language/symbols/declaration.ts';
import { walkHierarchy } from '../../services/language/symbols/hierarchy.ts';
import { type OpenPlace, openPlaces } from '../../services/language/symbols/places.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';
import { isInTest, listed, noteOnClosed, symbolArguments, titleOf } from './shown.ts';

/** Most callers, and references, that are shown. */
const MOST_PLACES_SHOWN = 20;
/** Longest documentation in UTF-16 units: alone, and beside the code, which has a comment above. */
const MOST_DOCUMENTATION = 3_000;
const MOST_BESIDE_CODE = 800;

export const getSymbol = defineReadTool({
  name: 'get_symbol',
  title: 'Get symbol in VS Code',
  description:
    'Gets the code of one function, class or other symbol, its signature and documentation; on request its callers and references. Use it instead of reading the whole file.',
  group: 'language',
  hints: { search: 'code of a function or class; hover, signature, documentation' },
  input: z.strictObject({
    ...symbolArguments,
    include: z.array(z.enum(['callers', 'references'])).default([]),
    maxCharacters: args.maxCharacters,
  }),
  async run({ include, maxCharacters, ...wanted }, ctx, { signal }) {
    const named = await resolveSymbol(wanted, ctx, signal);
    const declared = await declarationOf(named, ctx, signal);
    const target = declared ?? named;
    const { texts, isLoading } = await documentationOf(target, ctx, signal);
    const code = await codeOf(target, ctx);
    const { said, isCut } = withoutCode(texts.map(visibleText), code);
    const head = [titleOf(target, wanted.path), ...said];
    const parts = await Promise.all([...new Set(include)].map((part) => PARTS[part](target, ctx, signal)));
    const tail = parts.flatMap(({ lines }) => lines);
    const left = maxCharacters - [...head, ...tail].join('\n').length;
    const shown = fittingLines(code, left);
    const next = /^\d+/.exec(code[shown.length] ?? '')?.[0];
    return text(
      [...head, ...shown, ...tail].join('\n'),
      next && `The code is cut: go on with read_file from line ${next}, or raise maxCharacters.`,
      isCut && 'The documentation is cut: the comment in the file has all of it.',
      isLoading && 'The language server is still loading the project: the signature may be incomplete.',
      !target.symbol && 'It is not declared in a file that you can read: there is only its documentation.',
      noteOnClosed(parts.reduce((sum, { closed }) => sum + closed, 0)),
    );
  },
});

/** What the code does not say itself. The comment above it has the rest of the documentation. */
function withoutCode(texts: readonly string[], code: readonly string[]): { said: string[]; isCut: boolean } {
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  const own = bare(code.map((line) => line.replace(/^\d+: /, '')).join(''));
  const others = texts.map(bare).flatMap((text, index) => {
    const isOwn = own.includes(text.replace(/^\([a-z]+\)/, '')) || declaresResult(own, text);
    return isOwn ? [] : (texts[index] ?? []);
  });
  const whole = others.join('\n\n');
  const most = code.length > 0 ? MOST_BESIDE_CODE : MOST_DOCUMENTATION;
  const said = cutText(whole, most);
  return { said: said ? [said] : [], isCut: said.length < whole.length && code.length > 0 };
}

/** Whether a function's code declares what it returns: then the signature says nothing more. Both without white space. */
function declaresResult(code: string, signature: string): boolean {
  const result = /^(?:function|\(method\)).*\)(:.+)$/.exec(signature)?.[1];
  return result !== undefined && code.slice(code.search(/\)[:{]/)).startsWith(`)${result}{`);
}

async function codeOf({ symbol, parts, location }: Target, { files }: Context): Promise<string[]> {
  const numbers = (parts?.map((part) => part.symbol) ?? (symbol ? [symbol] : [])).flatMap(
    ({ startLine, line, endLine }) => {
      const first = startLine ?? line;
      return Array.from({ length: endLine - first + 1 }, (_, index) => first - 1 + index);
    },
  );
  const lines = await files.lines(location, [...new Set(numbers)]);
  return [...lines].map(([line, text]) => `${line + 1}: ${visibleText(text)}`);
}

const PARTS = {
  async callers(target: Target, ctx: Context, signal: AbortSignal) {
    const walk = await walkHierarchy(target, { direction: 'in', depth: 1, limit: 1_000 }, ctx, signal);
    if (!walk)
      return { lines: [`Callers: ${ctx.providers.why('a call hierarchy', target.document)}`], closed: 0 };
    const places = walk.levels.flatMap((level) => level.places);
    return { lines: await part('Callers', places, ctx), closed: walk.closed };
  },
  async references({ document, position }: Target, ctx: Context, signal: AbortSignal) {
    const found = await ctx.providers.ask<vscode.Location>('references', document, signal, position);
    const { open, closed } = await openPlaces(found, ctx.files);
    return { lines: await part('References', open, ctx), closed };
  },
};

/** The first places, those in tests apart. */
async function part(title: string, places: readonly OpenPlace[], { files }: Context): Promise<string[]> {
  const inTests = places.filter(isInTest);
  const others = places.filter((place) => !isInTest(place));
  return [
    ...(await listed(title, others, MOST_PLACES_SHOWN, files)),
    ...(inTests.length > 0 ? await listed(`${title} in tests`, inTests, MOST_PLACES_SHOWN, files) : []),
  ];
}
