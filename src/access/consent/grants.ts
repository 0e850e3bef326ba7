import { commandOf, type Grant, isSameCommand, serverGrant, serverOf } from '../../core/grants.ts';
import type { ApprovalKind, Denial } from '../accessSettings.ts';
import type { Answer, ApprovalOptions, ApprovalRequest, FileDiff, Grantee, PlannedAction } from './types.ts';

/** What an agent may do without a question: by the user's settings, and by earlier answers. */

/** In every denial: a call may edit, delete and run. */
export const NOTHING = 'Nothing was changed or run.';

const kindsOf = ({ kind, also = [] }: PlannedAction): ApprovalKind[] => [kind, ...[also].flat()];

/** How the user has decided about a request before it is asked about. */
export interface RequestVerdict {
  /** Why it is refused, for the agent. */
  denial?: string;
  /** The kinds of the request that are allowed. */
  allowed: readonly ApprovalKind[];
  /** Nobody need be asked. */
  isAllowed: boolean;
}

/** The verdict by the settings, by what is always allowed in the workspace, and by what the session was allowed and denied. */
export function verdictOn(
  request: ApprovalRequest,
  grantee: Grantee,
  { setting, store }: Pick<ApprovalOptions, 'setting' | 'store'>,
): RequestVerdict {
  const given = [...grantee.granted, ...store.get()];
  const kinds = kindsOf(request);
  const allowed: ApprovalKind[] = [];
  let isAllowed = !isGuarded(request);
  for (const kind of kinds) {
    const denial = denialOf(kind, request, grantee, setting);
    if (denial) return { denial, allowed, isAllowed: false };
    const isSet = setting(kind) === 'allow';
    const isGiven = isCovered(kind, request, given);
    if (isSet || isGiven) allowed.push(kind);
    isAllowed &&= isSet || (isGiven && !request.everyTime);
  }
  return { allowed, isAllowed };
}

/** Why the user has denied a kind of operation before they are asked, for the agent. */
function denialOf(
  kind: ApprovalKind,
  request: PlannedAction,
  { denied }: Pick<Grantee, 'denied'>,
  setting: ApprovalOptions['setting'],
): string | undefined {
  if (setting(kind) === 'deny') return deniedBySetting(kind);
  if (!denied.has(kind) && !denied.has(denialFor(kind, request))) return undefined;
  return `The user denied every ${nameOf(kind, request)} in this session. ${NOTHING} Do not try again; ask the user first.`;
}

/** Why the user's setting refuses a kind of operation, for the agent. */
export const deniedBySetting = (kind: ApprovalKind): string =>
  `The user has switched "${kind}" off for agents (setting workspaceMcp.approvals). ${NOTHING}`;

/** Settings do not answer for guarded files either. */
export const isGuarded = ({ diffs = [] }: Pick<PlannedAction, 'diffs'>): boolean =>
  diffs.some(({ guard }) => guard);

/** What is allowed of the kinds of a request, or of other places, though the user is asked about it all the same. */
export function allowedNear(
  request: ApprovalRequest,
  { granted }: Grantee,
  allowed: readonly ApprovalKind[],
  always: readonly Grant[],
): (ApprovalKind | Grant)[] {
  const command = commandOf(request.grant);
  if (command) return [...granted, ...always].filter((grant) => isSameCommand(commandOf(grant), command));
  if (allowed.includes('edit') || !kindsOf(request).includes('edit')) return [...allowed];
  return [...allowed, ...[...granted].filter((grant) => grant.startsWith(PLACE))];
}

function nameOf(kind: ApprovalKind, { server, editorCommand }: PlannedAction): string {
  if (kind === 'command' && editorCommand) return `call of the command ${editorCommand}`;
  if (kind === 'debug') return 'use of the debugger';
  return kind === 'server' && server ? `call of the server ${server.name}` : kind;
}

/** What "deny for session" denies: all of a hosted server, or all calls of a command of VS Code; else the kind. */
export function denialFor(kind: ApprovalKind, { server, editorCommand }: PlannedAction): Denial {
  if (kind === 'command' && editorCommand) return `command:${editorCommand}`;
  return kind === 'server' && server ? serverGrant({ key: server.key, name: server.name }) : kind;
}

/** What an answer for longer than once allows of one kind. Undefined if nothing: each call is asked about. */
function grantFor(kind: ApprovalKind, { kind: main, grant, server }: PlannedAction): Grant | undefined {
  if (kind === 'edit' || kind === 'delete' || kind === 'test') return kind;
  if (kind === 'server') return server && serverGrant(server);
  return kind === main ? grant : undefined;
}

/** Exactly what "Allow for Session" and "Always Allow" allow: the question says it. Empty if they are not offered. */
export function grantsOffered(request: PlannedAction): readonly Grant[] {
  if (request.everyTime || isGuarded(request)) return [];
  const grants = kindsOf(request).map((kind) => grantFor(kind, request));
  const known = grants.filter((grant) => grant !== undefined);
  return known.length === grants.length ? known : [];
}

function isCovered(kind: ApprovalKind, request: ApprovalRequest, given: readonly Grant[]): boolean {
  const own = grantFor(kind, request);
  const { server } = request;
  const wanted = [own, kind === 'server' && server && serverGrant({ key: server.key, name: server.name })];
  return (
    given.some((grant) => wanted.includes(grant)) || (kind === 'edit' && areInPlaces(request.diffs, given))
  );
}

/** What an answer allows from now on. */
export function grantsOf(
  request: ApprovalRequest,
  { allow, whole }: Extract<Answer, { allow: string }>,
): readonly Grant[] {
  const { diffs = [] } = request;
  if (allow === 'file') return diffs.slice(0, 1).map(({ uri }): Grant => `${PLACE}${uri}`);
  if (allow === 'folder') return [`${PLACE}${commonFolder(diffs.map(({ uri }) => `${uri}`))}`];
  const offered = grantsOffered(request);
  return whole ? offered.map((grant) => wholeServer(grant)) : offered;
}

function wholeServer(grant: Grant): Grant {
  const server = serverOf(grant);
  return server ? serverGrant({ key: server.key, name: server.name }) : grant;
}

/** Whether a new grant takes the place of an earlier one: of a command whose scripts have changed. */
export const isReplaced = (earlier: Grant, grants: readonly Grant[]): boolean =>
  grants.some((grant) => isSameCommand(commandOf(earlier), commandOf(grant)));

const PLACE = 'edit:';

/** The places that an answer could allow; none unless text alone is changed, and asked about once. */
export function grantablePlaces(request: PlannedAction): { file?: string; folder?: string } {
  const { kind, also, diffs = [], everyTime } = request;
  const [first] = diffs;
  if (kind !== 'edit' || also || everyTime || isGuarded(request) || !first || !diffs.every(isOfText))
    return {};
  const folder = commonFolder(diffs.map(({ path }) => path));
  return { ...(diffs.length === 1 && { file: first.path }), ...(folder && { folder }) };
}

/** Whether each file is one that is granted, or in a folder that is. */
function areInPlaces(diffs: readonly FileDiff[] = [], grants: readonly Grant[]): boolean {
  const places = grants.filter((grant) => grant.startsWith(PLACE)).map((grant) => grant.slice(PLACE.length));
  if (places.length === 0 || diffs.length === 0) return false;
  return diffs.every((diff) => isOfText(diff) && places.some((place) => isIn(`${diff.uri}`, place)));
}

/** Whether a change of a file can be granted by its place: it leads nowhere else, and is a change of text or a new file. */
const isOfText = ({ target, operation }: FileDiff): boolean =>
  target === undefined && (!operation || operation.type.startsWith('create'));

/** @param place the file, or a folder with one slash at its end */
function isIn(name: string, place: string): boolean {
  if (name === place) return true;
  const isFolder = place.endsWith('/') && !place.endsWith('//') && name[place.length] !== '/';
  return isFolder && name.startsWith(place);
}

/** The folder that all of them are in, with a slash at its end; empty for the workspace folder of relative paths. */
function commonFolder([first = '', ...others]: readonly string[]): string {
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (others.some((one) => !one.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}
