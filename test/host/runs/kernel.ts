import * as vscode from 'vscode';

/** A pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A kernel: the first word of a cell says what comes of it. */
export class Kernel {
  /** The code that it has run. */
  readonly ran: string[] = [];
  readonly #controller: vscode.NotebookController;
  #count = 0;

  constructor(id: string) {
    this.#controller = vscode.notebooks.createNotebookController(
      id,
      'jupyter-notebook',
      `Kernel ${id}`,
      async (cells) => {
        for (const cell of cells) await this.#run(cell);
      },
    );
    this.#controller.supportedLanguages = ['python'];
    this.#controller.supportsExecutionOrder = true;
  }

  dispose(): void {
    this.#controller.dispose();
  }

  async #run(cell: vscode.NotebookCell): Promise<void> {
    const code = cell.document.getText();
    this.ran.push(code);
    const execution = this.#controller.createNotebookCellExecution(cell);
    execution.executionOrder = ++this.#count;
    execution.start(Date.now());
    await execution.clearOutput();
    const word = /^\w+/.exec(code)?.[0];
    if (word === 'slow') await new Promise((resolve) => execution.token.onCancellationRequested(resolve));
    else if (word === 'dies') await new Promise(() => {});
    else await execution.replaceOutput(outputsOf(code, word));
    execution.end(word === 'slow' ? undefined : word !== 'fail', Date.now());
  }
}

function outputsOf(code: string, word: string | undefined): vscode.NotebookCellOutput[] {
  const { NotebookCellOutput, NotebookCellOutputItem } = vscode;
  if (word === 'fail') {
    const error = Object.assign(new Error('boom'), {
      name: 'ValueError',
      stack: '\u001b[31mValueError\u001b[0m: boom\n  in line 1',
    });
    return [new NotebookCellOutput([NotebookCellOutputItem.error(error)])];
  }
  const text = new NotebookCellOutput([NotebookCellOutputItem.stdout(`\u001b[1m${code}\u001b[0m\n`)]);
  const picture = new NotebookCellOutput([
    new NotebookCellOutputItem(PNG, 'image/png'),
    NotebookCellOutputItem.text('<Figure>'),
  ]);
  return word === 'plot' ? [text, picture] : [text];
}
