import {
  commandOf,
  isAskedEachTime,
  isRun,
  isSameCommand,
  runGrant,
  serverGrant,
} from '../../core/userChoices.ts';
import type { ApprovalKind, Grant } from '../accessSettings.ts';
import type { Answer, ApprovalOptions, ApprovalRequest, FileDiff, Grantee, PlannedAction } from './types.ts';

/** What an agent may do without a question: by the user's settings, and by earlier answers. */

/** In every denial: a call may edit, delete and run. */
export const NOTHING = 'Nothing was changed or run.';

const kindsOf = ({ kind, also }: ApprovalRequest): ApprovalKind[] => (also ? [kind, also] : [kind]);

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
  { granted, denied }: Grantee,
  { setting, store }: Pick<ApprovalOptions, 'setting' | 'store'>,
): RequestVerdict {
  const given = [...granted, ...store.get()];
  const kinds = kindsOf(request);
  const allowed: ApprovalKind[] = [];
  for (const kind of kinds) {
    const set = setting(kind);
    const covering = coveredBy(kind, request);
    const denial =
      set === 'deny'
        ? `The user has switched "${kind}" off for agents (setting workspaceMcp.approvals). ${NOTHING}`
        : [...denied].some((grant) => grant === kind || covering.includes(grant)) &&
          `The user denied every ${nameOf(kind, request)} in this session. ${NOTHING} Do not try again; ask the user first.`;
    if (denial) return { denial, allowed, isAllowed: false };
    const isAllowed =
      set === 'allow' ||
      given.some((grant) => covering.includes(grant)) ||
      (kind === 'edit' && areInPlaces(request.diffs, given));
    if (isAllowed) allowed.push(kind);
  }
  const isAllowed =
    allowed.length === kinds.length &&
    (!isAskedEachTime(request) || (isRun(request.kind) && setting(request.kind) === 'allow'));
  return { allowed, isAllowed };
}

/** What is allowed of the kinds of a request, or of other places, though the user is asked about it all the same. */
export function allowedNear(
  request: ApprovalRequest,
  { granted }: Grantee,
  allowed: readonly ApprovalKind[],
  always: readonly Grant[],
): Grant[] {
  const { command } = request;
  if (command) return [...granted, ...always].filter((grant) => isSameCommand(commandOf(grant), command));
  if (allowed.includes('edit') || !kindsOf(request).includes('edit')) return [...allowed];
  return [...allowed, ...[...granted].filter((grant) => grant.startsWith(PLACE))];
}

function nameOf(kind: ApprovalKind, { server, editorCommand }: ApprovalRequest): string {
  if (kind === 'command' && editorCommand) return `call of the command ${editorCommand}`;
  return kind === 'server' && server ? `call of the server ${server.name}` : kind;
}

/** The grants that cover a kind in a request: one of them is enough. The first one covers the most. */
export function coveredBy(kind: ApprovalKind, { server, command, editorCommand }: ApprovalRequest): Grant[] {
  if (kind === 'run' && command) return [kind, runGrant(command)];
  if (kind === 'command' && editorCommand) return [`command:${editorCommand}`];
  if (kind !== 'server' || !server) return [kind];
  const { key, name } = server;
  return [serverGrant({ key, name }), serverGrant(server)];
}

/** What an answer allows from now on. */
export function grantsOf(
  request: ApprovalRequest,
  { allow, whole }: Extract<Answer, { allow: string }>,
): Grant[] {
  const { diffs = [] } = request;
  if (allow === 'file') return diffs.slice(0, 1).map(({ uri }): Grant => `${PLACE}${uri}`);
  if (allow === 'folder') return [`${PLACE}${commonFolder(diffs.map(({ uri }) => `${uri}`))}`];
  return kindsOf(request).map(
    (kind) => coveredBy(kind, request).at(whole && kind === 'server' ? 0 : -1) ?? kind,
  );
}

/** Whether a new grant takes the place of an earlier one: of a command whose scripts have changed. */
export const isReplaced = (earlier: Grant, grants: readonly Grant[]): boolean =>
  grants.some((grant) => isSameCommand(commandOf(earlier), commandOf(grant)));

const PLACE = 'edit:';

/** The places that an answer could allow; none unless text alone is changed, and asked about once. */
export function grantablePlaces({ kind, also, diffs = [], everyTime }: PlannedAction): {
  file?: string;
  folder?: string;
} {
  const [first] = diffs;
  if (kind !== 'edit' || also || everyTime || !first || !diffs.every(isOfText)) return {};
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
