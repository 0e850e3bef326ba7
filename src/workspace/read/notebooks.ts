import type * as vscode from 'vscode';
import { UserError, unlessUserError } from '../../core/errors.ts';
import { isObject, parsedJson } from '../../core/json.ts';
import { type NotebookCell, type NotebookOutput, withoutEscapes } from '../../core/notebook/notebookText.ts';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline } from '../../util/clock.ts';
import { type Location, openNotebook } from './location.ts';

/** Whether VS Code shows a file as a notebook, by its name. */
export const isNotebook = ({ uri }: Pick<Location, 'uri'>): boolean => isNotebookPath(uri.path);
export const isNotebookPath = (path: string): boolean => /\.ipynb$/i.test(path);

/** The open notebook, or one that VS Code loads without an editor for it. @throws UserError if it is none */
export async function loadNotebook(
  code: typeof vscode,
  location: Location,
): Promise<vscode.NotebookDocument> {
  const opening = async () =>
    openNotebook(code, location) ?? code.workspace.openNotebookDocument(location.uri);
  return withDeadline(opening(), `opening ${location.path}`).catch(
    unlessUserError(() => {
      throw new UserError(
        `VS Code cannot open ${location.path} as a notebook: no extension provides its type, or its content is invalid. Use edit_file for other files.`,
      );
    }),
  );
}

/** The cells as the user sees them, with unsaved text and the newest outputs. */
export const cellsOf = (notebook: vscode.NotebookDocument): NotebookCell[] =>
  notebook.getCells().map(({ kind, document, outputs, executionSummary }) => {
    if (kind === MARKUP) return { kind: 'markdown', text: document.getText(), outputs: [] };
    const run = executionSummary?.executionOrder;
    return {
      kind: 'code',
      language: document.languageId,
      text: document.getText(),
      ...(run !== undefined && { run }),
      outputs: outputs.map(toOutput),
    };
  });

/** With `\n` line ends. */
export const codeOf = ({ document }: vscode.NotebookCell): string => withLf(document.getText());

export const outputsOf = ({ outputs }: vscode.NotebookCell): NotebookOutput[] => outputs.map(toOutput);

/** The bytes of one picture an output, whatever kind they are. */
export const picturesOf = ({ outputs }: vscode.NotebookCell): Uint8Array[] =>
  outputs.flatMap(({ items }) => items.find(({ mime }) => /^image\/(?!svg)/.test(mime))?.data ?? []);

/** `vscode.NotebookCellKind.Markup`, which is only defined inside VS Code. */
export const MARKUP = 1;

const STREAM = /^application\/vnd\.code\.notebook\.std(out|err)$/;
const ERROR = 'application/vnd.code.notebook.error';

function toOutput({ items }: vscode.NotebookCellOutput): NotebookOutput {
  const text = ({ data }: vscode.NotebookCellOutputItem) => new TextDecoder().decode(data);
  const error = items.find(({ mime }) => mime === ERROR);
  if (error) return { type: 'error', text: withoutEscapes(errorText(text(error))) };
  const readable = [/^text\/plain$/, STREAM, /^text\//];
  const best = readable.map((fits) => items.find(({ mime }) => fits.test(mime))).find(Boolean);
  // One print may be split into several stream items.
  if (best && STREAM.test(best.mime))
    return {
      type: 'text/plain',
      text: withoutEscapes(
        items
          .filter(({ mime }) => STREAM.test(mime))
          .map(text)
          .join(''),
      ),
    };
  return best ? { type: best.mime, text: text(best) } : { type: items[0]?.mime ?? 'nothing' };
}

/** VS Code stores an error as JSON. */
function errorText(json: string): string {
  const error = parsedJson(json);
  if (!isObject(error)) return json;
  const { name, message, stack } = error;
  return `${stack || `${name}: ${message}`}`;
}
