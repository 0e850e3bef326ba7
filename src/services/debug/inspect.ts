/** What an adapter answers about a stopped thread. Ids of frames and variables are valid until it goes on: nobody keeps them. */
import { isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { clock, within } from '../../util/clock.ts';
import { isCode } from './codeValue.ts';
import type { DebugThread } from './threads.ts';

/** For one answer of an adapter, in milliseconds: some never answer. */
const ANSWER = 10_000;
const LATE = Symbol();
/** For an answer that a busy workbench between the adapter and us may hold back, in milliseconds. */
const GRACE = 1_000;
/** For all variables of an answer: each level of them is asked for one by one. */
const VARIABLES = 10_000;

export interface Frame {
  id: number;
  name: string;
  /** Undefined if its source is no file. */
  uri?: vscode.Uri;
  /** The place is in a text of the adapter: code that was made of the file, or that the file had before. */
  isOfOtherText?: true;
  /** What the adapter calls the source. */
  source: string;
  /** 1-based. */
  line: number;
  column: number;
}

export interface Variable {
  name: string;
  value: string;
  /** As the adapter names it; empty if it does not. */
  type: string;
  /** The handle for its members; 0 if there are none. */
  reference: number;
  /** Elements among its members, which are asked for apart from the others: adapters answer with all of them otherwise. */
  indexed: number;
  /** Members, each on demand, by their names or indexes. */
  members?: readonly Variable[];
  /** Members that are not among them. */
  more?: boolean;
}

/** Sends a request of the Debug Adapter Protocol. @throws UserError if it is refused, or not answered in time */
export async function ask(session: vscode.DebugSession, command: string, args: object): Promise<Fields> {
  const asked = Promise.resolve(session.customRequest(command, args)).catch((error) => {
    const reason = (error as Error).message.trim().replaceAll(/\s*\n\s*/g, ' '); // with the stack of an expression
    throw new UserError(`The debugger refuses ${command}: ${reason}`);
  });
  const answer = await within(asked, ANSWER, LATE);
  if (answer !== LATE) return fieldsOf(answer);
  await within(isWorkbenchThere(session), ANSWER, undefined);
  const late = await within(asked, GRACE, LATE);
  if (late !== LATE) return fieldsOf(late);
  throw new UserError(
    `The debugger does not answer ${command}: it is busy, or what it evaluates does not end. Try again, or stop the session with debug_control.`,
  );
}

/** Resolves as soon as the workbench takes requests again: one that opens its first editor in a busy window is late, not the adapter. */
const isWorkbenchThere = (session: vscode.DebugSession): Promise<unknown> =>
  Promise.resolve(session.getDebugProtocolBreakpoint({ id: '' } as vscode.Breakpoint)).catch(() => {});

/** The frames of a stopped thread, the innermost first. @param from 0-based */
export async function framesOf(
  { session, id }: DebugThread,
  Uri: typeof vscode.Uri,
  from: number,
  count: number,
): Promise<Frame[]> {
  const answer = await ask(session, 'stackTrace', { threadId: id, startFrame: from, levels: count });
  const frames = itemsOf(answer.stackFrames).map((frame) => frameOf(fieldsOf(frame), Uri));
  return frames.slice(frames.length > count ? from : 0).slice(0, count); // some adapters always answer with all
}

function frameOf({ id, name, source, line, column }: Fields, Uri: typeof vscode.Uri): Frame {
  const { path, name: sourceName, sourceReference } = fieldsOf(source);
  const isFile =
    typeof path === 'string' && (sourceReference ? PLACE.test(path) || isAbsolute(path) : /^[^<]/.test(path));
  return {
    id: Number(id),
    name: String(name),
    line: Number(line),
    column: Number(column),
    ...(isFile && { uri: uriOf(path, Uri), ...(sourceReference ? { isOfOtherText: true } : {}) }),
    source: String(sourceName ?? path ?? ''),
  };
}

const PLACE = /^(file|vscode-remote):/i;

/** A path, or the URI that VS Code has made of it: by the name of the machine, if its window is on another one. */
function uriOf(path: string, Uri: typeof vscode.Uri): vscode.Uri {
  if (!/^[a-z][\w+.-]+:\/\//i.test(path)) return Uri.file(path);
  const uri = Uri.parse(path);
  return uri.scheme === 'vscode-remote' ? Uri.file(uri.path) : uri;
}

export interface Bounds {
  /** Levels of members, at least 1. */
  depth: number;
  /** Variables of each level. */
  most: number;
  /** Variables of all levels. */
  mostInAll: number;
  /** Leaves out members of functions, modules and the like: they may be of a file that is closed to the agent. */
  hidesCode: boolean;
}

/** What was thrown; undefined if the adapter does not tell. */
export async function exceptionOf({ session, id }: DebugThread): Promise<string | undefined> {
  const { description, exceptionId } = await ask(session, 'exceptionInfo', { threadId: id }).catch(
    () => ({}) as Fields,
  );
  const told = description ?? exceptionId;
  return typeof told === 'string' ? told : undefined;
}

/** The variables of a frame by scope, without those that the adapter calls expensive, such as globals. */
export async function scopesOf(
  session: vscode.DebugSession,
  frame: Frame,
  bounds: Bounds,
): Promise<(Members & { name: string })[]> {
  const { scopes } = await ask(session, 'scopes', { frameId: frame.id });
  const look = lookOf(session, bounds);
  const found: (Members & { name: string })[] = [];
  for (const scope of itemsOf(scopes).map(fieldsOf)) {
    if (scope.expensive === true) continue;
    found.push({ name: String(scope.name), ...(await levelOf(look, handleOf(scope), bounds.depth)) });
  }
  return found;
}

/** Variables in what an adapter has answered, such as the result of an expression. */
export const membersOf = (session: vscode.DebugSession, answer: Fields, bounds: Bounds): Promise<Members> => {
  const look = lookOf(session, bounds);
  return levelOf(look, handleIn(look, { ...answer, value: answer.result ?? answer.value }), bounds.depth);
};

interface Members {
  members: readonly Variable[];
  /** There are others. */
  more: boolean;
}

/** The limits of one answer. */
interface Look {
  session: vscode.DebugSession;
  most: number;
  hidesCode: boolean;
  /** Variables that may be asked for yet, and until when. */
  left: number;
  until: number;
}

const lookOf = (session: vscode.DebugSession, { most, mostInAll, hidesCode }: Bounds): Look => ({
  session,
  most,
  hidesCode,
  left: mostInAll,
  until: clock.now() + VARIABLES,
});

const NONE = { reference: 0, indexed: 0 };

/** A handle for members that may be asked for. */
function handleIn({ hidesCode }: Look, variable: Fields): Pick<Variable, 'reference' | 'indexed'> {
  if (fieldsOf(variable.presentationHint).lazy === true) return NONE; // a getter: asking for it would run code
  return hidesCode && isCode(String(variable.value), typeOf(variable)) ? NONE : handleOf(variable);
}

const typeOf = ({ type }: Fields): string => (typeof type === 'string' ? type : '');

const handleOf = ({ variablesReference, indexedVariables }: Fields) => ({
  reference: Number(variablesReference ?? 0),
  indexed: Number(indexedVariables ?? 0),
});

async function levelOf(
  look: Look,
  { reference, indexed }: Pick<Variable, 'reference' | 'indexed'>,
  depth: number,
): Promise<Members> {
  const most = Math.min(look.most, look.left);
  if (reference === 0) return { members: [], more: false };
  if (depth < 1 || most < 1 || clock.now() > look.until) return { members: [], more: true };
  const asked = async (part: object) => {
    const { variables } = await ask(look.session, 'variables', { variablesReference: reference, ...part });
    return itemsOf(variables).map(fieldsOf).filter(isOwn);
  };
  const page = { start: 0, count: most + 1 };
  const all = indexed > 0 ? await asked({ filter: 'indexed', ...page }) : await asked(page);
  if (indexed > 0 && all.length <= most) all.push(...(await asked({ filter: 'named' })));
  look.left -= Math.min(all.length, most);
  const members: Variable[] = [];
  for (const one of all.slice(0, most)) {
    const own = handleIn(look, one);
    const variable = { name: String(one.name), value: String(one.value), type: typeOf(one), ...own };
    const inner = depth > 1 ? await levelOf(look, own, depth - 1) : undefined;
    members.push(inner && inner.members.length > 0 ? { ...variable, ...inner } : variable);
  }
  return { members, more: all.length > most };
}

/** Not those that a program does not have, such as prototypes. */
const isOwn = ({ presentationHint }: Fields): boolean => fieldsOf(presentationHint).visibility !== 'internal';
