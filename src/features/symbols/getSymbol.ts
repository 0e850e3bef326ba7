import * as z from 'zod';
import { cutText, fittingLines } from '../../core/text/cut.ts';
import { visible, visibleText } from '../../core/text/visible.ts';
import { allDeclarations, type DeclarationLines } from '../../services/language/symbols/allDeclarations.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { declarationOf, documentationOf } from '../../services/language/symbols/declaration.ts';
import { noteOnElsewhere, referencesEverywhere } from '../../services/language/symbols/elsewhere.ts';
import { type OpenPlace, openPlaces } from '../../services/language/symbols/places.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';
import { callersOf } from './findHierarchy.ts';
import { isInTest, listed, noteOnClosed, symbolArguments, titleOf } from './shown.ts';

/** Most callers, and references, that are shown. */
const MOST_PLACES_SHOWN = 20;
/** Declarations in other files that are shown, and lines of each. */
const MOST_ELSEWHERE = 5;
const MOST_LINES_ELSEWHERE = 20;
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
    const { open, closed } = await allDeclarations(target, ctx, signal);
    const isOwn = ({ location }: DeclarationLines) => location.path === target.location.path;
    const code = await codeOf(open.filter(isOwn), ctx);
    const others = open.filter((one) => !isOwn(one));
    const elsewhere = await codeElsewhere(others, code.length > 0 ? 'Also declared' : 'Declared', ctx);
    const { said, isCut } = withoutCode(texts.map(visibleText), code);
    const head = [titleOf(target, wanted.path), ...said];
    const parts = await Promise.all([...new Set(include)].map((part) => PARTS[part](target, ctx, signal)));
    const tail = [...elsewhere, ...parts.flatMap(({ lines }) => lines)];
    const left = maxCharacters - [...head, ...tail].join('\n').length;
    const shown = fittingLines(code, left);
    const next = /^\d+/.exec(code[shown.length] ?? '')?.[0];
    return text(
      [...head, ...shown, ...tail].join('\n'),
      next && `The code is cut: go on with read_file from line ${next}, or raise maxCharacters.`,
      isCut && 'The documentation is cut: the comment in the file has all of it.',
      isLoading && 'The language server is still loading the project: the signature may be incomplete.',
      open.length === 0 && noteOnUndeclared(closed, target, ctx),
      others.length > MOST_ELSEWHERE && 'Not all declarations are shown: find_definition has them.',
      noteOnClosed(parts.reduce((sum, part) => sum + part.closed, open.length > 0 ? closed : 0)),
    );
  },
});

const noteOnUndeclared = (closed: number, { document }: Target, { providers }: Context): string =>
  closed > 0
    ? 'It is declared outside the workspace or in a file that is closed to you.'
    : `Its declaration is not known. ${providers.why('definitions', document)}`;

const SIGNATURE = /^.*[:(].*$/;

/** What the code does not say itself. The comment above it has the rest of the documentation. */
function withoutCode(texts: readonly string[], code: readonly string[]): { said: string[]; isCut: boolean } {
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  /** Servers write a comment as Markdown: other marks, the same words. */
  const wordsOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const text = code.map((line) => line.replace(/^\d+: /, '')).join('\n');
  const [own, words] = [bare(text), wordsOf(text)];
  const others = texts.filter((one) => {
    const signature = bare(one);
    const isOwn =
      own.includes(signature.replace(/^(\([a-z]+\)|(public|protected|private):)|\{\}$/g, '')) ||
      declaresResult(own, signature) ||
      (!SIGNATURE.test(one) && one.split('\n').every((line) => words.includes(wordsOf(line))));
    return !isOwn;
  });
  const whole = others.join('\n');
  const most = code.length > 0 ? MOST_BESIDE_CODE : MOST_DOCUMENTATION;
  const said = cutText(whole, most);
  return { said: said ? [said] : [], isCut: said.length < whole.length && code.length > 0 };
}

/** Whether a function's code declares what it returns: then the signature says nothing more. Both without white space. */
function declaresResult(code: string, signature: string): boolean {
  const result = /^(?:function|\(method\)).*\)(:.+)$/.exec(signature)?.[1];
  return result !== undefined && code.slice(code.search(/\)[:{]/)).startsWith(`)${result}{`);
}

/** The lines of declarations in one file, each once. */
async function codeOf(declarations: readonly DeclarationLines[], { files }: Context): Promise<string[]> {
  const [first] = declarations;
  if (!first) return [];
  const numbers = declarations.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index),
  );
  const lines = await files.lines(first.location, [...new Set(numbers)]);
  return [...lines].map(([line, text]) => `${line + 1}: ${visibleText(text)}`);
}

/** Declarations in other files, by file. */
async function codeElsewhere(
  declarations: readonly DeclarationLines[],
  title: string,
  ctx: Context,
): Promise<string[]> {
  const bounded = declarations.slice(0, MOST_ELSEWHERE).map((one) => ({
    ...one,
    last: Math.min(one.last, one.first + MOST_LINES_ELSEWHERE - 1),
  }));
  const byPath = Map.groupBy(bounded, ({ location }) => location.path);
  const parts = [...byPath].map(async ([path, some]) => [
    `${title} in ${visible(path)}:`,
    ...(await codeOf(some, ctx)),
  ]);
  return (await Promise.all(parts)).flat();
}

const PARTS = {
  async callers(target: Target, ctx: Context, signal: AbortSignal) {
    const found = await callersOf(target, { depth: 1, limit: 1_000 }, ctx, signal);
    if (!found)
      return { lines: [`Callers: ${ctx.providers.why('a call hierarchy', target.document)}`], closed: 0 };
    const { walk, how } = found;
    const places = walk.levels.flatMap((level) => level.places);
    return { lines: [...(await part('Callers', places, ctx)), ...(how ? [how] : [])], closed: walk.closed };
  },
  async references(target: Target, ctx: Context, signal: AbortSignal) {
    const { found, elsewhere } = await referencesEverywhere(target, ctx, signal);
    const { open, closed } = await openPlaces(found, ctx.files);
    const note = noteOnElsewhere(elsewhere, target);
    return { lines: [...(await part('References', open, ctx)), ...(note ? [note] : [])], closed };
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
