import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../../../scripts/readme.ts';
import { features } from '../../../src/features/index.ts';
import { TOOL_GROUPS } from '../../../src/features/tool.ts';
import { ToolSwitches } from '../../../src/services/toolSwitches.ts';
import { holdClock } from '../../fakes/clock.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';

const GROUPS = 'workspaceMcp.tools.groups';
const DISABLED = 'workspaceMcp.tools.disabled';

const TOOLS = [
  { name: 'edit_file', group: 'edit' },
  { name: 'open_file', group: 'editor' },
  { name: 'read_file', group: 'files' },
] as const;

/** The setting of the groups. */
const groups = (value: unknown) => ({ [GROUPS]: value });

type Scopes = Partial<Record<'user' | 'workspace' | 'folder', Record<string, unknown>>>;

function create(scopes: Scopes = {}) {
  const fake = FakeVscode.create({ folders: ['/ws'], ...scopes });
  const switches = new ToolSwitches(fake.api);
  const on = () => TOOLS.filter((tool) => !switches.offBy(tool)).map(({ name }) => name);
  return { fake, switches, on };
}

describe('services/toolSwitches', () => {
  const clock = holdClock();

  const ALL = TOOLS.map(({ name }) => name);

  it('leaves on none that the person or a repository has taken away, and names the setting; no repository brings one back', () => {
    const user = { ...groups({ edit: false }), [DISABLED]: ['open_file', 'no_such'] };
    const { switches } = create({ user });
    const names = TOOLS.map((tool) => switches.offBy(tool));
    assert.deepEqual(names, ['workspaceMcp.tools.groups ("edit")', 'workspaceMcp.tools.disabled', undefined]);
    const back = { ...groups({ edit: true }), [DISABLED]: [] };
    const nothing = { ...groups(null), [DISABLED]: 7 };
    for (const [scopes, expected] of [
      [{}, ALL],
      [{ user: nothing, workspace: { ...groups({}), [DISABLED]: [7, null, {}] } }, ALL],
      [{ user, workspace: back }, ['read_file']],
      [{ workspace: user, user: back }, ['read_file']],
    ] as const)
      assert.deepEqual(create(scopes).on(), expected);
  });

  it('leaves on none where groups make no sense, or names are in what is no list or beside nonsense', () => {
    for (const value of [false, 'off', ['edit'], 7])
      assert.deepEqual(create({ workspace: groups(value) }).on(), [], JSON.stringify(value));
    const values = ['false', 0, null, {}].map((edit) => ({ workspace: groups({ edit }) }));
    const lists = [{ edit_file: true }, 'edit_file', [7, 'edit_file']].map((value) => ({
      workspace: { [DISABLED]: value },
    }));
    for (const scopes of [...values, ...lists])
      assert.deepEqual(create({ user: groups({ edit: true }), ...scopes }).on(), ALL.slice(1));
  });

  it('tells once of a burst of changes, and of none that switches nothing', async () => {
    const { fake, switches, on } = create();
    let told = 0;
    const watching = switches.watch(
      () => `${on()}`,
      () => told++,
    );
    await switches.known();
    fake.person.sets(DISABLED, ['edit_file']);
    fake.person.sets(DISABLED, ['edit_file', 'open_file']);
    assert.deepEqual(on(), ['read_file'], 'holds at once');
    clock.tick(300);
    assert.equal(told, 1);
    fake.person.sets(DISABLED, ['open_file', 'edit_file', 'no_such']);
    fake.person.sets(GROUPS, { edit: false });
    clock.tick(300);
    assert.equal(told, 1);
    fake.person.sets(DISABLED, []);
    watching.dispose();
    clock.tick(300);
    assert.equal(told, 1);
    switches.dispose();
    assert.equal(fake.listeners, 0);
  });

  describe('the window has a use for tools', () => {
    const scratch = makeTemporary();
    after(() => removeTemporary(scratch));

    async function open({ isTrusted = true, hasOthers = false } = {}) {
      const fake = FakeVscode.create({ folders: [scratch], isTrusted });
      const others = { is: hasOthers, changed: () => {} };
      const switches = new ToolSwitches(fake.api, {
        has: () => others.is,
        watch: (onChange) => {
          others.changed = onChange;
          return { dispose() {} };
        },
      });
      await switches.known();
      const needs = ['notebooks', 'debuggers', 'other windows'] as const;
      const used = () => needs.filter((one) => switches.isUseful({ needs: one }));
      let told = 0;
      switches.watch(
        () => `${used()}`,
        () => told++,
      );
      await switches.known();
      const tellings = () => {
        clock.tick(300);
        return told;
      };
      return { fake, others, used, tellings };
    }

    it('of notebooks if there is one, of the debugger if an extension has one, of windows if there are others', async () => {
      const { fake, others, used, tellings } = await open();
      assert.deepEqual(used(), []);
      fake.extensions.brings({ debuggers: [{ type: 'node' }] });
      assert.deepEqual(used(), ['debuggers']);
      fake.person.createsFile('/ws/a.ipynb');
      assert.equal(tellings(), 1);
      others.is = true;
      others.changed();
      assert.equal(tellings(), 2);
      assert.deepEqual(used(), ['notebooks', 'debuggers', 'other windows']);
      others.changed();
      assert.equal(tellings(), 2);
    });

    it('of notebooks that were there before, and of a debugger once the workspace is trusted', async () => {
      writeFileSync(join(scratch, 'a.ipynb'), '');
      const { fake, used, tellings } = await open({ isTrusted: false });
      fake.extensions.brings({ debuggers: [{ type: 'node' }] });
      assert.deepEqual(used(), ['notebooks']);
      fake.person.trusts();
      assert.equal(tellings(), 1);
      assert.deepEqual(used(), ['notebooks', 'debuggers']);
    });
  });

  it('package.json describes every group, and each has a tool', () => {
    const setting = readManifest().contributes.configuration.properties[GROUPS] as unknown as {
      default: object;
      properties: object;
    };
    const used = new Set(features.tools.map(({ group }) => group));
    for (const names of [Object.keys(setting.properties), Object.keys(setting.default), [...used]])
      assert.deepEqual(names.sort(), [...TOOL_GROUPS].sort());
  });
});
