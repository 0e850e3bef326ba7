/** Edits, moves and undos by two agents and a person in turns, in a real VS Code: all texts equal a model after each step. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { numbersOf } from '../../random.ts';
import type { HostAgent } from '../agent.ts';
import { agentOfSuite, at, root, settingsUntil } from '../inside.ts';
import { type Change, Model, type TextFile, textOf } from './model.ts';

const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : [1];
const STEPS = 60;

function numbers(seed: number): (below: number) => number {
  const next = numbersOf(seed);
  return (below) => next() % below;
}

type Agent = Pick<HostAgent, 'call'>;

/** Two agents and a person in a folder of their own. */
class KeyedQueue {
  readonly model = new Model();
  readonly log: string[] = [];
  readonly #agents: readonly Agent[];
  readonly #folder: string;
  readonly #below: (below: number) => number;
  #tokens = 0;

  constructor(agents: readonly Agent[], seed: number) {
    this.#agents = agents;
    this.#folder = `run${seed}`;
    this.#below = numbers(seed);
    for (const [index, name] of ['a.txt', 'b.txt', 'c.txt', 'dir/d.txt', 'dir/e.txt'].entries()) {
      const lines = Array.from({ length: 12 }, () => this.#token('start'));
      const text = [...lines, ...(index === 2 ? [] : [''])].join(index === 1 ? '\r\n' : '\n');
      mkdirSync(dirname(at(this.#path(name))), { recursive: true });
      writeFileSync(at(this.#path(name)), text);
      this.model.add(this.#path(name), text);
    }
  }

  async step(): Promise<void> {
    const agent = this.#below(2);
    const steps: [weight: number, () => Promise<void>][] = [
      [8, () => this.#edits(agent)],
      [5, () => this.#types()],
      [2, () => this.#saves()],
      [1, () => this.#creates(agent)],
      [2, () => this.#moves(agent)],
      [1, () => this.#deletes(agent)],
      [5, () => this.#undoes(agent)],
    ];
    const all = steps.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));
    await this.#one(all)?.();
    await this.check();
  }

  /** Both agents take back all that they can, the newest first, until nothing more goes. */
  async undoAll(): Promise<void> {
    for (let isProgress = true; isProgress; ) {
      isProgress = false;
      for (const change of this.model.changes.toReversed())
        isProgress = (await this.#undo(change)) || isProgress;
      await this.check();
    }
  }

  async check(): Promise<void> {
    const { files } = this.model;
    const found = readdirSync(at(this.#folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    assert.deepEqual(found.sort(), [...files.keys()].sort(), this.#told());
    for (const [path, file] of files) {
      const document = vscode.workspace.textDocuments.find(
        ({ uri, isClosed }) => uri.fsPath === at(path) && !isClosed,
      );
      const shown = readFileSync(at(path), 'utf8');
      assert.equal(shown, textOf(file, file.saved), `${path} on the disk${this.#told()}`);
      if (document || file.isDirty)
        assert.equal(document?.getText(), textOf(file, file.lines), path + this.#told());
      assert.equal(document?.isDirty ?? false, file.isDirty, `${path} is unsaved${this.#told()}`);
    }
  }

  async #edits(agent: number): Promise<void> {
    const [path, file] = this.#anyFile();
    const count = 1 + this.#below(2);
    const index = this.#below(Math.max(1, file.lines.length - count));
    const added = Array.from({ length: 1 + this.#below(3) }, () => this.#token(`agent${agent}`));
    const removed = file.lines.slice(index, index + count);
    if (removed.includes('')) return;
    const edits = [{ oldText: removed.join('\n'), newText: added.join('\n') }];
    await this.#call(agent, 'edit_file', { path, edits });
    this.model.edit(agent, file, index, count, added);
  }

  async #types(): Promise<void> {
    const [path, file] = this.#anyFile();
    const document = await vscode.workspace.openTextDocument(at(path));
    const line = this.#below(file.lines.length);
    const token = this.#token('person');
    const isNew = this.#below(3) === 0;
    this.log.push(`person ${isNew ? 'inserts' : 'writes'} ${token} in line ${line} of ${path}`);
    const edit = new vscode.WorkspaceEdit();
    if (isNew) edit.insert(document.uri, new vscode.Position(line, 0), `${token}\n`);
    else edit.replace(document.uri, document.lineAt(line).range, token);
    assert.ok(await vscode.workspace.applyEdit(edit));
    file.lines.splice(line, isNew ? 0 : 1, token);
    file.isDirty = true;
  }

  async #saves(): Promise<void> {
    const dirty = [...this.model.files].filter(([, { isDirty }]) => isDirty);
    const [path, file] = this.#one(dirty) ?? [];
    if (!path || !file) return;
    this.log.push(`person saves ${path}`);
    assert.ok(await (await vscode.workspace.openTextDocument(at(path))).save());
    Object.assign(file, { saved: [...file.lines], isDirty: false });
  }

  async #creates(agent: number): Promise<void> {
    const path = this.#newPath();
    const text = [this.#token('new'), this.#token('new'), ''].join(this.#below(2) ? '\n' : '\r\n');
    await this.#call(agent, 'write_file', { path, content: text });
    this.model.create(agent, path, text);
  }

  async #moves(agent: number): Promise<void> {
    const [path] = this.#anyFile();
    const source = path.split('/').length > 2 && this.#below(2) ? dirname(path) : path;
    const destination = this.#newPath(source === path ? '.txt' : '');
    await this.#call(agent, 'move_path', { source, destination });
    this.model.move(agent, source, destination);
  }

  async #deletes(agent: number): Promise<void> {
    const [path] = this.#anyFile();
    const isInFolder = path.split('/').length > 2;
    const source = isInFolder && this.#below(2) ? dirname(path) : path;
    const isUnsaved = this.model.under(source).some((one) => this.model.files.get(one)?.isDirty);
    const deleting = this.#call(agent, 'delete_path', { path: source });
    if (isUnsaved) return assert.rejects(deleting, /unsaved text/);
    await deleting;
    this.model.delete(agent, source);
  }

  async #undoes(agent: number): Promise<void> {
    const own = this.model.changes.filter((change) => change.agent === agent);
    const change = this.#below(2) ? own.at(-1) : this.#one(own);
    if (change) await this.#undo(change);
  }

  async #undo(change: Change): Promise<boolean> {
    const verdict = this.model.verdictOf(change, (path) => existsSync(at(path)));
    const { agent, id, type } = change;
    const failure = await this.#call(agent, 'undo_edit', { id }).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    this.log.push(`  = ${type}, to be ${verdict}: ${failure ?? 'done'}`);
    const isDone = failure === undefined;
    assert.ok(verdict === 'either' || isDone === (verdict === 'done'), this.#told());
    if (isDone) this.model.undo(change);
    return isDone;
  }

  async #call(agent: number, tool: string, args: Record<string, unknown>): Promise<void> {
    this.log.push(`agent ${agent} calls ${tool} ${JSON.stringify(args)}`);
    const { call } = this.#agents[agent] as Agent;
    await call(tool, args);
    if (tool === 'undo_edit') return;
    this.model.nextId = Number.parseInt(await call('undo_edit', { list: true }), 10);
  }

  #anyFile(): [path: string, file: TextFile] {
    const all = [...this.model.files].sort(([a], [b]) => (a < b ? -1 : 1));
    return this.#one(all) ?? assert.fail('there is no file left');
  }

  #one<T>(all: readonly T[]): T | undefined {
    return all[this.#below(Math.max(1, all.length))];
  }

  #path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  #newPath(end = '.txt'): string {
    const name = `n${++this.#tokens}`;
    return this.#path(this.#below(3) ? `${name}${end}` : `${name}/sub${end}`);
  }

  #token(by: string): string {
    return `<${by} ${++this.#tokens}>`;
  }

  #told(): string {
    return `\n${this.log.join('\n')}`;
  }
}

describe('two agents and a person, in turns', () => {
  const agents = [agentOfSuite(), agentOfSuite()];
  const set = settingsUntil(after);

  before(() => set('workspaceMcp.approvals', { edit: 'allow', delete: 'allow' }));

  for (const seed of SEEDS)
    it(`leave the texts of a model, and what is taken back is as before (seed ${seed})`, async () => {
      const turns = new KeyedQueue(agents, seed);
      const start = new Map(turns.model.files);
      for (let step = 0; step < STEPS; step++) await turns.step();
      await turns.undoAll();
      const { files, changes } = turns.model;
      const left = new Set(changes.flatMap((change) => (change.type === 'edit' ? change.added : [])));
      const lines = [...start.values()].flatMap((file) => file.lines);
      const foreign = lines.filter((line) => line.startsWith('<agent') && !left.has(line));
      assert.deepEqual(foreign, [], turns.log.join('\n'));
      if (changes.every(({ type }) => type === 'edit'))
        assert.deepEqual([...files.keys()].sort(), [...start.keys()].sort());
    });
});
