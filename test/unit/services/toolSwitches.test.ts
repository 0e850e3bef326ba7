import assert from 'node:assert/strict';
import { readManifest } from '../../../scripts/readme.ts';
import { features } from '../../../src/features/index.ts';
import { TOOL_GROUPS } from '../../../src/features/tool.ts';
import { ToolSwitches } from '../../../src/services/toolSwitches.ts';
import { holdClock } from '../../fakes/clock.ts';
import { FakeVscode } from '../../fakes/vscode.ts';

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
  const CASES: [what: string, scopes: Scopes, expected: string[]][] = [
    ['all by default', {}, ALL],
    [
      'none that either the person or a repository has taken away',
      { user: groups({ edit: false }), workspace: { [DISABLED]: ['read_file', 'no_such'] } },
      ['open_file'],
    ],
    [
      'none that a repository brings back',
      {
        user: { ...groups({ edit: false }), [DISABLED]: ['read_file'] },
        workspace: { ...groups({ edit: true }), [DISABLED]: [] },
      },
      ['open_file'],
    ],
    [
      'all where nothing is named',
      { user: { ...groups(null), [DISABLED]: 7 }, workspace: { ...groups({}), [DISABLED]: [7, null, {}] } },
      ALL,
    ],
  ];
  for (const [what, scopes, expected] of CASES)
    it(`leaves on ${what}`, () => assert.deepEqual(create(scopes).on(), expected));

  it('leaves on none where the groups make no sense, and none of a group whose value makes none', () => {
    for (const value of [false, 'off', ['edit'], 7])
      assert.deepEqual(create({ workspace: groups(value) }).on(), [], JSON.stringify(value));
    for (const edit of ['false', 0, null, {}]) {
      const scopes = { user: groups({ edit: true }), workspace: groups({ edit }) };
      assert.deepEqual(create(scopes).on(), ALL.slice(1), JSON.stringify(edit));
    }
  });

  it('leaves on none that is named by what is no list, or beside nonsense', () => {
    for (const value of [{ edit_file: true }, 'edit_file', [7, 'edit_file']])
      assert.deepEqual(create({ user: { [DISABLED]: value } }).on(), ALL.slice(1), JSON.stringify(value));
  });

  it('names the setting', () => {
    const { switches } = create({ user: { [GROUPS]: { edit: false }, [DISABLED]: ['open_file'] } });
    const names = TOOLS.map((tool) => switches.offBy(tool));
    assert.deepEqual(names, ['workspaceMcp.tools.groups ("edit")', 'workspaceMcp.tools.disabled', undefined]);
  });

  it('tells once of a burst of changes, and of none that switches nothing', () => {
    const { fake, switches, on } = create();
    let told = 0;
    const watching = switches.watch(TOOLS, () => told++);
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
