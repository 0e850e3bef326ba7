import * as vscode from 'vscode';

/** A test extension: one file with a test of each outcome, the tests in its lines 4 to 7. */
export class Probe {
  readonly #controller = vscode.tests.createTestController('probe', 'Probe');

  constructor(uri: vscode.Uri) {
    const file = this.#controller.createTestItem('sum', 'sum', uri);
    for (const [index, name] of ['fails', 'passes', 'skips', 'errs'].entries()) {
      const item = this.#controller.createTestItem(name, name, uri);
      item.range = new vscode.Range(3 + index, 0, 3 + index, 10);
      file.children.add(item);
    }
    this.#controller.items.add(file);
    const { Run } = vscode.TestRunProfileKind;
    this.#controller.createRunProfile(
      'Run',
      Run,
      (request) => this.#run(request.include ?? [file], request),
      true,
    );
  }

  dispose(): void {
    this.#controller.dispose();
  }

  #run(items: readonly vscode.TestItem[], request: vscode.TestRunRequest): void {
    const run = this.#controller.createTestRun(request);
    for (const item of items.flatMap(leaves)) {
      run.started(item);
      if (item.id === 'passes') run.passed(item, 12);
      else if (item.id === 'skips') run.skipped(item);
      else if (item.id === 'errs') run.errored(item, new vscode.TestMessage('boom'), 3);
      else run.failed(item, notEqual(item), 5);
    }
    run.appendOutput('some output\r\n');
    run.end();
  }
}

/** Another test extension: thousands of tests that pass, and one that ends only when it is cancelled. */
export class ManyTests {
  readonly #controller = vscode.tests.createTestController('many', 'Many');

  constructor(uri: vscode.Uri, slowUri: vscode.Uri) {
    const file = this.#controller.createTestItem('many', 'many', uri);
    for (let number = 1; number <= MANY; number++)
      file.children.add(this.#controller.createTestItem(`test ${number}`, `test ${number}`, uri));
    const slow = this.#controller.createTestItem('slow', 'slow', slowUri);
    this.#controller.items.add(file);
    this.#controller.items.add(slow);
    const { Run } = vscode.TestRunProfileKind;
    this.#controller.createRunProfile('Run', Run, (request, token) => this.#run(request, token), true);
  }

  dispose(): void {
    this.#controller.dispose();
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    for (const item of (request.include ?? []).flatMap(leaves)) {
      run.started(item);
      if (item.id === 'slow') await new Promise<void>((end) => token.onCancellationRequested(() => end()));
      else run.passed(item, 1);
    }
    run.end();
  }
}

const MANY = 3_000;

function notEqual({ uri, range }: vscode.TestItem): vscode.TestMessage {
  const message = vscode.TestMessage.diff('not equal', '2', '3');
  if (uri && range) message.location = new vscode.Location(uri, range.start.translate(0, 2));
  return message;
}

const leaves = (item: vscode.TestItem): vscode.TestItem[] =>
  item.children.size === 0 ? [item] : [...item.children].flatMap(([, child]) => leaves(child));
