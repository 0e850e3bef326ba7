import type { FakeDocuments } from './documents.ts';
import { Emitter, listenersOf } from './emitter.ts';
import { FakeRuns } from './runs.ts';
import { live } from './strict.ts';
import { FakeTabs } from './tabs.ts';
import type { FakeDocument, Range, Selection } from './text.ts';

/** The editor that has the keyboard. */
interface FakeEditor {
  document: FakeDocument;
  /** None for a side of a diff. */
  viewColumn?: number;
  selection?: unknown;
  revealRange?(range: Range): void;
  selections?: readonly Selection[];
  visibleRanges?: readonly Range[];
}

/** The namespace `window`. */
export class FakeWindow {
  activeTextEditor: FakeEditor | undefined;
  readonly state = { focused: true, active: true };
  /** The visible editors besides that one. */
  readonly otherEditors: FakeEditor[] = [];
  /** Visible notebook editors. */
  readonly notebookEditors: { notebook: unknown; options?: object }[] = [];
  activeNotebookEditor: { notebook: unknown } | undefined;
  readonly tabs: FakeTabs;
  readonly runs = new FakeRuns();
  readonly #onActiveEditor = new Emitter<FakeEditor | undefined>();
  readonly #onSelection = new Emitter<{ textEditor: FakeEditor }>();
  readonly #onVisibleRanges = new Emitter<{ textEditor: FakeEditor }>();

  constructor(documents: FakeDocuments) {
    this.tabs = new FakeTabs(documents);
  }

  api() {
    return live(
      {
        activeTextEditor: () => this.activeTextEditor,
        visibleTextEditors: () => [this.activeTextEditor ?? [], this.otherEditors].flat(),
        visibleNotebookEditors: () => this.notebookEditors,
        activeNotebookEditor: () => this.activeNotebookEditor,
        terminals: () => this.runs.terminals,
        activeTerminal: () => this.runs.activeTerminal,
      },
      {
        ...this.runs.window,
        state: this.state,
        showNotebookDocument: async (notebook: unknown, options: object) => {
          const editor = { notebook, options };
          this.notebookEditors.push(editor);
          return editor;
        },
        onDidChangeActiveTextEditor: this.#onActiveEditor.event,
        onDidChangeTextEditorSelection: this.#onSelection.event,
        onDidChangeTextEditorVisibleRanges: this.#onVisibleRanges.event,
        tabGroups: this.tabs.api,
      },
    );
  }

  readonly person = {
    /** In a tab. */
    opensTab: (path: string): FakeDocument => this.tabs.opens(path),
    /** Into the editor that has the keyboard from now on. */
    goesTo: (editor: FakeEditor | undefined): void => {
      this.activeTextEditor = editor;
      this.#onActiveEditor.fire(editor);
    },
    selects: (editor: FakeEditor, ...selections: Selection[]): void => {
      editor.selections = selections;
      this.#onSelection.fire({ textEditor: editor });
    },
  };

  get listeners(): number {
    const editors = [this.#onActiveEditor, this.#onSelection, this.#onVisibleRanges];
    return listenersOf([...editors, this.tabs, this.runs]);
  }
}
