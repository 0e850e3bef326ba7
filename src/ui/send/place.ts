/** What the user points at when they send something to an agent, in words. */
import * as vscode from 'vscode';
import { cutText } from '../../core/text/cut.ts';
import { linesOf } from '../../workspace/comments/thread.ts';
import { displayPath } from '../../workspace/read/location.ts';

/** In words for an agent. */
export interface Place {
  text: string;
  /** The files that it is about. */
  uris: readonly vscode.Uri[];
}

/** Longest text of a message, a comment or a terminal, and of one variable, in UTF-16 units; most variables and files. */
const LONGEST = 2_000;
const LONGEST_VALUE = 200;
const MOST = 20;

/** A problem that a light bulb is for. */
export interface PlaceOfProblem {
  uri: vscode.Uri;
  diagnostic: Pick<vscode.Diagnostic, 'message' | 'range' | 'severity' | 'source' | 'code'>;
}

/** What the menus of VS Code pass to a command: each its own objects, some of them without a type. */
type Given = Partial<
  PlaceOfProblem &
    Pick<vscode.TestItem, 'label'> &
    Pick<vscode.SourceControlResourceState, 'resourceUri'> &
    Pick<vscode.CommentThread, 'comments'>
> & {
  range?: vscode.Range | undefined;
  /** A test that failed. */
  test?: vscode.TestItem;
  message?: vscode.TestMessage;
  /** A frame of the stack has it. */
  sessionId?: string;
};

/** What the menu of the call stack passes: its ids are VS Code's own. */
interface ClickedFrame {
  frameName?: string;
  frameLocation?: { range: { startLineNumber: number }; source: { path?: string } };
}

/** What a menu's command is about; without arguments the selection in the active editor. Undefined if that is nothing. */
export async function placeOf(...all: unknown[]): Promise<Place | undefined> {
  const [first, second] = all;
  if (isUri(first)) {
    const editor = vscode.window.activeTextEditor;
    const several = Array.isArray(second) ? second.filter(isUri) : [];
    const isSelection = several.length === 0 && `${editor?.document.uri}` === `${first}`;
    return isSelection ? ofEditor() : ofFiles(several.length > 0 ? several : [first]);
  }
  const frame = all.find((one) => (one as Given | undefined)?.sessionId !== undefined);
  if (frame) return ofFrame(frame as ClickedFrame);
  const given = (first ?? {}) as Given;
  if (given.diagnostic && given.uri) return ofProblem(given as PlaceOfProblem);
  if (given.test) return ofTest(given.test, given.message);
  if (given.comments && given.uri) return ofComments(given as vscode.CommentThread);
  if (given.label !== undefined && given.uri) return ofTest(given as vscode.TestItem);
  // Each of several selected files is an argument.
  const files = all.flat().flatMap((one) => (one as Given | undefined)?.resourceUri ?? []);
  return files.length > 0 ? ofFiles(files) : ofEditor();
}

const isUri = (value: unknown): value is vscode.Uri =>
  typeof value === 'object' && value !== null && 'fsPath' in value;

/** As agents know places: 1-based lines. */
function at(uri: vscode.Uri, range?: vscode.Range): string {
  const path = `@${displayPath({ vscode }, uri)}`;
  if (!range) return path;
  const [first, last] = linesOf(range);
  return last > first ? `${path}:${first}-${last}` : `${path}:${first}`;
}

function ofEditor(): Place | undefined {
  const { activeTextEditor: editor } = vscode.window;
  if (!editor) return undefined;
  const { document, selections } = editor;
  return { text: selections.map((one) => at(document.uri, one)).join(' '), uris: [document.uri] };
}

const ofFiles = (uris: readonly vscode.Uri[]): Place => {
  const some = uris.slice(0, MOST);
  const more = uris.length > MOST ? ` (${uris.length - MOST} more)` : '';
  return { text: some.map((uri) => at(uri)).join(' ') + more, uris: some };
};

const SEVERITIES = ['error', 'warning', 'information', 'hint'];

function ofProblem({ uri, diagnostic }: PlaceOfProblem): Place {
  const { message, range, severity, source, code } = diagnostic;
  const value = typeof code === 'object' ? code.value : code;
  const kind = [SEVERITIES[severity], source, value].filter((one) => one !== undefined).join(' ');
  return { text: `${at(uri, range)} ${kind}: ${cutText(message, LONGEST)}`, uris: [uri] };
}

function ofTest({ label, uri, range }: vscode.TestItem, message?: vscode.TestMessage): Place {
  const place = uri ? ` ${at(uri, range)}` : '';
  const { location } = message ?? {};
  const where = location ? ` at ${at(location.uri, location.range)}` : '';
  const failed = message ? ` failed${where}:\n${cutText(plain(message.message), LONGEST)}` : '';
  return {
    text: `Test "${label}"${place}${failed}`,
    uris: [uri, location?.uri].filter((one) => one !== undefined),
  };
}

interface Variable {
  name: string;
  value: string;
}

/** A frame with its local variables, if it is the one that VS Code shows. */
async function ofFrame({ frameName = 'a frame', frameLocation }: ClickedFrame): Promise<Place> {
  const { path } = frameLocation?.source ?? {};
  const uri = path === undefined ? undefined : vscode.Uri.file(path);
  const line = (frameLocation?.range.startLineNumber ?? 1) - 1;
  const where = uri ? ` ${at(uri, new vscode.Range(line, 0, line, 0))}` : '';
  const values = (await variablesOf(frameName, line + 1))
    .slice(0, MOST)
    .map(({ name, value }) => `${name} = ${cutText(value, LONGEST_VALUE).replace(/\s+/g, ' ')}`);
  return { text: [`Stopped in ${frameName}${where}`, ...values].join('\n'), uris: uri ? [uri] : [] };
}

/** @param line 1-based */
async function variablesOf(frameName: string, line: number): Promise<readonly Variable[]> {
  const item = vscode.debug.activeStackItem;
  if (!item || !('frameId' in item)) return [];
  const { session, threadId, frameId } = item;
  const ask = (request: string, about: object) => session.customRequest(request, about);
  const { stackFrames = [] } = await ask('stackTrace', { threadId, startFrame: 0, levels: 100 });
  const frame = stackFrames.find(({ id }: { id: number }) => id === frameId);
  if (frame?.name !== frameName || frame.line !== line) return [];
  const { scopes = [] } = await ask('scopes', { frameId });
  const local = scopes.find(({ expensive }: { expensive?: boolean }) => !expensive);
  if (!local) return [];
  return (await ask('variables', { variablesReference: local.variablesReference })).variables;
}

function ofComments({ uri, range, comments, label = 'Comment' }: vscode.CommentThread): Place {
  const words = comments.map(({ body }) => plain(body));
  return { text: `${label} ${at(uri, range)}: ${cutText(words.join('\n'), LONGEST)}`, uris: [uri] };
}

const plain = (text: string | vscode.MarkdownString): string =>
  typeof text === 'string' ? text : text.value;

/** What is selected in the active terminal: VS Code gives it by the clipboard only, which has its old text afterwards. */
export async function selectedInTerminal(): Promise<Place | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText(''); // if nothing is selected, nothing is copied
  await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
  const selected = await clipboard.readText();
  await clipboard.writeText(before);
  const text = selected.trim();
  return text === '' ? undefined : { text: `In the terminal:\n${text.slice(-LONGEST)}`, uris: [] };
}
