/**
 * The real programs of agents, with a scripted model: which of our tools they give to their model, and that its calls arrive.
 * docs/agents.md has the results.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { features } from '../../src/features/index.ts';
import type { ActivityCall } from '../../src/server/agent.ts';
import { projectRoot } from '../host/paths.ts';
import { targetOf } from '../unit/agents/machine.ts';
import { useMachine } from '../wire/harness.ts';
import { definition, startAll } from '../wire/hosting/support.ts';
import { type Driven, driven } from './driven.ts';
import type { Body } from './modelApis.ts';
import { installed, output, prepareHome } from './programs.ts';
import { type Call, type Declared, startModel, type Turn } from './scriptedModel.ts';

/** Tools of the core, beyond it, and of a hosted server. */
const CALLS: readonly [name: string, args: object, answer: RegExp][] = [
  ['read_file', { path: 'a.txt' }, /The content of a/],
  ['list_directory', { path: '.' }, /a\.txt \(17\)/],
  ['sdk__echo', { value: 'echoed' }, /echoed/],
];

describe('agents: calls of real programs', () => {
  const machines = useMachine();

  for (const row of driven)
    it([row.program, ...(row.title ? [row.title] : [])].join(', '), async () => {
      await installed(row.program);
      const window = await machines.open({
        trees: { ws: { 'a.txt': 'The content of a.' } },
        servers: { sdk: definition('sdkServer') },
      });
      await startAll(window);
      const { surroundings, configure } = prepareHome(machines.root, window.path());
      await configure(row.id, 'user');
      const turns: Turn[] = [];
      let arrived: readonly ActivityCall[] = [];
      const model = await startModel(scriptOf(row), (turn) => {
        turns.push(turn);
        arrived = window.agents.flatMap(({ calls }) => calls);
      });
      try {
        const { args, env = {}, first } = row.drive(model.url, surroundings);
        if (first) await output(row.program, first, surroundings);
        await output(row.program, args, { ...surroundings, env });
      } finally {
        model.close();
      }
      const last = turns.at(-1);
      assert.ok(last, 'the program asked no model');
      checkList(row, last, arrived);
      if (targetOf(row.id).program.skills) checkSkills(last);
      for (const [name, , answer] of CALLS) {
        const made = arrived.filter((call) => [call.name, call.about].includes(name)); // the latter of call_tool
        const shown = made.map(({ state }) => state);
        assert.deepEqual(shown, ['done'], name);
        const own = last.results.splice(0, row.search ? 2 : 1);
        assert.match(own.pop() ?? '', answer);
        if (row.search) assert.ok(own[0]?.includes(name), `a search does not find ${name}: ${own}`);
      }
    }).timeout(600_000);
});

/** The model is told when to open each skill. */
function checkSkills({ text }: Turn): void {
  const folder = join(projectRoot, 'skills');
  for (const name of readdirSync(folder)) {
    const [, start = ''] =
      /^description: (.{60})/m.exec(readFileSync(join(folder, name, 'SKILL.md'), 'utf8')) ?? [];
    assert.ok(text.includes(name) && text.includes(start), name);
  }
}

function scriptOf({ list, prefix, search, call = byName(prefix) }: Driven): Call[] {
  const reached = (name: string, args: object): Call =>
    list === 'all' || features.core?.has(name) || name.includes('__')
      ? call(name, args)
      : call('call_tool', { name, arguments: args });
  return CALLS.flatMap(([name, args]) => [...(search ? [search(name)] : []), reached(name, args)]);
}

const byName =
  (prefix: string) =>
  (name: string, args: object): Call => ({ name: `${prefix}${name}`, arguments: args });

/** The program got the list that fits it, and its model what the row says. */
function checkList(row: Driven, { tools, text }: Turn, arrived: readonly ActivityCall[]): void {
  const { prefix, list, inline = () => true, isNamed } = row;
  const lists = arrived.filter(({ method }) => method === 'tools/list');
  const sent: Declared[] = lists.map(({ response }) => (response as Body).result.tools).at(-1) ?? [];
  const listed = sent.map(({ name }) => name);
  assert.equal(listed.includes('call_tool'), list === 'core');
  assert.ok(listed.includes('sdk__echo'));
  const whole = tools.filter(({ name, isDeferred }) => name.startsWith(prefix) && !isDeferred);
  assert.deepEqual(whole.map(({ name }) => name.slice(prefix.length)).sort(), listed.filter(inline).sort());
  const others = listed.filter((name) => !inline(name));
  const unnamed = others.filter((name) => !text.includes(`${prefix}${name}`));
  if (isNamed) assert.deepEqual(unnamed, []);
  else assert.equal(unnamed.length > 0, others.length > 0);
}
