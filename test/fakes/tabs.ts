import type * as vscode from 'vscode';
import type { FakeDocuments } from './documents.ts';
import { Emitter, listenersOf } from './emitter.ts';
import { live } from './strict.ts';
import type { FakeDocument } from './text.ts';
import { Uri } from './values.ts';

interface FakeTab {
  input: { uri: vscode.Uri };
  isActive: boolean;
  isDirty: boolean;
  isPinned: boolean;
  isPreview: boolean;
  /** Its group's column; if left out, 1, the active one. */
  viewColumn?: number;
  group?: FakeGroup;
}

interface FakeGroup {
  isActive: boolean;
  viewColumn: number;
  tabs: readonly FakeTab[];
  activeTab: FakeTab | undefined;
}

/** `window.tabGroups`. */
export class FakeTabs {
  readonly all: FakeTab[] = [];
  readonly #documents: FakeDocuments;
  readonly #onTabs = new Emitter<Record<'opened' | 'closed' | 'changed', readonly FakeTab[]>>();
  readonly #onTabGroups = new Emitter<unknown>();

  constructor(documents: FakeDocuments) {
    this.#documents = documents;
  }

  readonly api = live(
    { all: () => this.#groups(), activeTabGroup: () => this.#groups()[0] },
    {
      onDidChangeTabs: this.#onTabs.event,
      onDidChangeTabGroups: this.#onTabGroups.event,
      close: async (tabs: readonly FakeTab[]) => this.#close(tabs),
    },
  );

  /** Loads the document first if it is not open. */
  opens(path: string): FakeDocument {
    const uri = Uri.file(path);
    const document = this.#documents.at(uri) ?? this.#documents.person.loads(path);
    const tab = { input: { uri }, isActive: false, isDirty: false, isPinned: false, isPreview: false };
    this.all.push(tab);
    this.#onTabs.fire({ opened: [tab], closed: [], changed: [] });
    return document;
  }

  get listeners(): number {
    return listenersOf([this.#onTabs, this.#onTabGroups]);
  }

  #close(tabs: readonly FakeTab[]): boolean {
    for (const tab of tabs) this.all.splice(this.all.indexOf(tab), 1);
    this.#onTabs.fire({ opened: [], closed: tabs, changed: [] });
    return true;
  }

  #groups(): [FakeGroup, ...FakeGroup[]] {
    const columns = new Set(this.all.map(({ viewColumn = 1 }) => viewColumn)).add(1);
    const [first = 1, ...others] = [...columns].sort((a, b) => a - b);
    return [this.#group(first), ...others.map((column) => this.#group(column))];
  }

  #group(column: number): FakeGroup {
    const tabs = this.all.filter(({ viewColumn = 1 }) => viewColumn === column);
    const activeTab = tabs.find(({ isActive }) => isActive);
    const group = { isActive: column === 1, viewColumn: column, tabs, activeTab };
    for (const tab of tabs) tab.group = group;
    return group;
  }
}
