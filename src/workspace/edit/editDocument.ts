import type * as vscode from 'vscode';
import { configuresTools } from '../../access/configurationFiles.ts';
import type { ApprovalRequest, Consent, WaitingCall } from '../../access/consent/types.ts';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { Turns } from '../../util/keyedQueue.ts';
import { isSameChange } from '../../util/lineDiff.ts';
import { decode } from '../read/decode.ts';
import { displayPath, openDocument } from '../read/displayPath.ts';
import { locateUri } from '../read/locate.ts';
import type { Location, Locator } from '../read/location.ts';
import { isSameText, readDisk, sizeLimit } from '../read/readContent.ts';
import { applyText, saveEdited } from './applyEdit.ts';
import { type Editable, requireEncodable } from './openEditable.ts';

/** What shall be changed. */
export interface EditPlan {
  /** The text that shall be there instead, with `\n` between the lines. Throws where the text is not what it expects. */
  plan(text: string): string;
  /** Version of the document that the agent has seen. */
  expectedVersion?: number | undefined;
}

export interface EditRequest extends EditPlan {
  /** Name of the tool, for the person who is asked. */
  tool: string;
  call: WaitingCall;
}

export interface Edited {
  /** Version of the document in the editor. */
  version: number;
  /** Not where the person's own unsaved text is in it, or it has no file yet: theirs to save. */
  saved: 'saved' | 'theirs' | 'still saving';
  /** VS Code has changed more on saving, as the person's settings say. */
  changedOnSave: boolean;
  /** Its lines did not all end alike, and now they do. */
  madeEndsAlike: boolean;
  /** What was saved is not what lies at the path now. */
  isGone: boolean;
}

/** What an edit needs besides. */
export interface EditAccess {
  locator: Locator;
  /** The document of a text file, loaded where it is not. @throws UserError where this agent may not change it */
  open(location: Location): Promise<Editable>;
  /** Resolves once the person has agreed. */
  approve(request: ApprovalRequest, call: WaitingCall): Promise<Consent>;
  /** Whether it still is, without asking. @throws UserError where the person has switched it off */
  isAllowed(request: ApprovalRequest, call: WaitingCall): boolean;
  /** Shared by all agents: an edit that found another one not saved yet would take its text for the person's. */
  turns: Turns;
}

/** A text, and what shall stand instead, both with `\n` between the lines. */
interface Change {
  before: string;
  after: string;
}

/**
 * How often an edit is tried at least while the text changes under it, and for how many milliseconds: the person may be typing
 * in the same file, and where the workbench is far away or slow, each try takes longer than they take for a character.
 */
const TRIES = 20;
const TYPING_TIME = 20_000;

/**
 * Changes a document as one step that the person can undo, after they have agreed. What was saved is saved again; what
 * had unsaved text of theirs stays unsaved. While they decide the text may change: what they have agreed to is what they were
 * shown, so they are asked again where that is another change by then.
 *
 * @throws UserError where it is denied, or the text is no longer what the plan expects; CancelledError
 */
export async function editDocument(
  access: EditAccess,
  location: Location,
  request: EditRequest,
): Promise<Edited> {
  const { document } = await access.open(location);
  requireVersion(location, document.version, request.expectedVersion);
  let shown = await changeOf(access, location, document, request);
  for (let again = false; ; again = true) {
    const question = questionOf(access, location, document, request, shown);
    const consent = await access.approve({ ...question, ...(again && { again }) }, request.call);
    const turn = () => attempt(access, location, request, shown, consent);
    const result = await access.turns.take(document.uri.toString(), turn);
    if ('version' in result) return result;
    shown = result;
  }
}

function questionOf(
  { locator }: EditAccess,
  { path, uri, realPath = uri.fsPath, targetUri }: Location,
  document: vscode.TextDocument,
  { tool }: EditRequest,
  change: Change,
): ApprovalRequest {
  return {
    kind: 'edit',
    tool,
    subject: path,
    ...(targetUri && { target: displayPath(locator, targetUri) }),
    ...((configuresTools(uri.fsPath) || configuresTools(realPath)) && { everyTime: true }),
    diff: { uri: document.uri, ...change },
  };
}

async function changeOf(
  { locator }: EditAccess,
  location: Location,
  document: vscode.TextDocument,
  { plan }: EditPlan,
): Promise<Change> {
  const before = withLf(document.getText());
  const after = plan(before);
  requireSize(locator, location, after);
  await requireEncodable(locator, location, document, after);
  return { before, after };
}

/** An agent must not edit a file out of its own reach. */
function requireSize({ policy }: Locator, location: Location, text: string): void {
  const [size, limit] = [Buffer.byteLength(text), sizeLimit(policy, location)];
  if (size <= limit) return;
  throw new UserError(
    `${location.path} is unchanged: it would have ${size} bytes, and agents may read ${limit} at most here (setting workspaceMcp.access.maxFileSize).`,
  );
}

/** The edit, or the change that the person has to agree to first. */
async function attempt(
  access: EditAccess,
  location: Location,
  request: EditRequest,
  shown: Change,
  consent: Consent,
): Promise<Edited | Change> {
  const { locator } = access;
  const until = performance.now() + TYPING_TIME;
  for (let tries = 0; tries < TRIES || performance.now() < until; tries++) {
    throwIfCancelled(request.call.signal);
    // Minutes may have passed: the rules may be others, and VS Code lets go of documents that no tab shows.
    const { document, isTheirs, isMixed, location: now } = await access.open(location);
    requireSameFile(location, now);
    const { version } = document;
    const change = await changeOf(access, location, document, request);
    if (request.expectedVersion !== undefined && change.before !== shown.before)
      throw changedSince(location, document.version, request.expectedVersion);
    const isAllowed = access.isAllowed(questionOf(access, location, document, request, change), request.call);
    if (consent === 'shown' ? !isSameChange(shown, change) : !isAllowed) return change;
    if (!(await applyText(locator.vscode, document, location, change))) {
      if (document.version !== version || document.isClosed) continue;
      throw new UserError(`VS Code did not apply the edit to ${location.path}. The person may know why.`);
    }
    // VS Code lets go of a document at any moment: then it has loaded another one for the edit.
    const edited = openDocument(locator.vscode, now) ?? document;
    const saved = isTheirs ? 'theirs' : await saveEdited(locator.vscode, edited, location, change);
    await judgeAgain(locator, location);
    const changedOnSave = saved === 'saved' && withLf(edited.getText()) !== change.after;
    const isGone = await hasGone(locator, location, edited, saved);
    return { version: edited.version, saved, changedOnSave, madeEndsAlike: isMixed, isGone };
  }
  throw new UserError(
    `VS Code did not apply the edit to ${location.path}: its text changes all the time. Try again later.`,
  );
}

/** @throws UserError where the agent has seen another version */
export function requireVersion(location: Location, version: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw changedSince(location, version, expected);
}

const changedSince = ({ path }: Location, version: number, expected: number): UserError =>
  new UserError(
    `${path} is unchanged: it has version ${version}, not ${expected}, so its text is another one than you have seen. Read it again.`,
  );

/** What was asked about may have been replaced by a link since, or a link by another one. */
function requireSameFile({ path, realPath }: Location, now: Location): void {
  if (realPath === now.realPath) return;
  throw new UserError(`${path} has been replaced since it was asked about: nothing is edited. Try again.`);
}

/** Whether a file has not the text that was saved: a link was in its place, or another program has changed it since. */
async function hasGone(
  locator: Locator,
  location: Location,
  document: vscode.TextDocument,
  saved: Edited['saved'],
): Promise<boolean> {
  if (saved !== 'saved' || location.uri.scheme !== 'file' || document.isDirty) return false;
  try {
    const bytes = await readDisk(locator, location);
    const text = bytes && (await decode(locator, location, bytes, document.encoding));
    return text === undefined || !isSameText(document, text);
  } catch (error) {
    if (error instanceof UserError) return true;
    throw error;
  }
}

/** Between the check and the edit a file may have been swapped for a link. That gap cannot be closed, but told of. */
async function judgeAgain(locator: Locator, { uri, path }: Location): Promise<void> {
  await locateUri(locator, uri.toString()).catch((error: Error) => {
    throw new UserError(
      `${path} was edited, but it is no longer the file that was asked for: ${error.message} Tell the person.`,
    );
  });
}
