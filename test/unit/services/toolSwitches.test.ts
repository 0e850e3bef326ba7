import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { readManifest } from '../../../scripts/readme.ts';
import { features } from '../../../src/features/index.ts';
import { TOOL_GROUPS } from '../../../src/features/tool.ts';
import { ToolSwitches } from '../../../src/services/toolSwitches.ts';
import { FakeVscode } from '../../fakes/vscode.ts';

const GROUPS = 'workspaceMcp.tools.groups';
const DISABLED = 'workspaceMcp.tools.disabled';

const TOOLS = [
  { name: 'edit_file', group: 'edit' },
  { name: 'open_file', group: 'editor' },
  { name: 'read_file', group: 'files' },
] as const;

type Scopes = Partial<Record<'user' | 'workspace' | 'folder', Record<string, unknown>>>;

function create(scopes: Scopes = {}) {
  const fake = FakeVscode.create({ folders: ['/ws'], ...scopes });
  const switches = new ToolSwitches(fake.api);
  const on = () => TOOLS.filter((tool) => !switches.offBy(tool)).map(({ name }) => name);
  return { fake, switches, on };
}

describe('services/toolSwitches', () => {
  afterEach(() => mock.timers.reset());

  const ALL = TOOLS.map(({ name }) => name);
  const CASES: [what: string, scopes: Scopes, expected: string[]][] = [
    ['all by default', {}, ALL],
    [
      'none of a group that the person has switched off',
      { user: { [GROUPS]: { edit: false } } },
      ALL.slice(1),
    ],
    [
      'none that the person has named',
      { user: { [DISABLED]: ['open_file', 'no_such'] } },
      ['edit_file', 'read_file'],
    ],
    [
      'none that either the person or a repository has taken away',
      { user: { [GROUPS]: { edit: false } }, workspace: { [DISABLED]: ['read_file'] } },
      ['open_file'],
    ],
    [
      'none that a repository brings back',
      {
        user: { [GROUPS]: { edit: false }, [DISABLED]: ['read_file'] },
        workspace: { [GROUPS]: { edit: true }, [DISABLED]: [] },
      },
      ['open_file'],
    ],
    [
      'all where nothing is named',
      { user: { [GROUPS]: null, [DISABLED]: 7 }, workspace: { [GROUPS]: {}, [DISABLED]: [7, null, {}] } },
      ALL,
    ],
    ...[false, 'off', ['edit'], 7].map((value): [string, Scopes, string[]] => [
      `none where the groups are ${JSON.stringify(value)}`,
      { workspace: { [GROUPS]: value } },
      [],
    ]),
    ['none that is true among the disabled', { user: { [DISABLED]: { edit_file: true } } }, ALL.slice(1)],
    ['none that is named without a list', { user: { [DISABLED]: 'edit_file' } }, ALL.slice(1)],
    ...['false', 0, null, {}].map((value): [string, Scopes, string[]] => [
      `none of a group that is ${JSON.stringify(value)}`,
      { user: { [GROUPS]: { edit: true } }, workspace: { [GROUPS]: { edit: value } } },
      ALL.slice(1),
    ]),
    ['none that is named beside nonsense', { user: { [DISABLED]: [7, 'edit_file'] } }, ALL.slice(1)],
  ];
  for (const [what, scopes, expected] of CASES)
    it(`leaves on ${what}`, () => assert.deepEqual(create(scopes).on(), expected));

  it('names the setting', () => {
    const { switches } = create({ user: { [GROUPS]: { edit: false }, [DISABLED]: ['open_file'] } });
    assert.deepEqual(
      TOOLS.map((tool) => switches.offBy(tool)),
      ['workspaceMcp.tools.groups ("edit")', 'workspaceMcp.tools.disabled', undefined],
    );
  });

  it('tells once of a burst of changes, and of none that switches nothing', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const { fake, switches, on } = create();
    let told = 0;
    const watching = switches.watch(TOOLS, () => told++);
    fake.person.sets(DISABLED, ['edit_file']);
    fake.person.sets(DISABLED, ['edit_file', 'open_file']);
    assert.deepEqual(on(), ['read_file'], 'holds at once');
    mock.timers.tick(300);
    assert.equal(told, 1);
    fake.person.sets(DISABLED, ['open_file', 'edit_file', 'no_such']);
    fake.person.sets(GROUPS, { edit: false });
    mock.timers.tick(300);
    assert.equal(told, 1);
    fake.person.sets(DISABLED, []);
    watching.dispose();
    mock.timers.tick(300);
    assert.equal(told, 1);
    switches.dispose();
    assert.equal(fake.listeners, 0);
  });

  it('package.json describes every group, and each has a tool', () => {
    const setting = readManifest().contributes.configuration.properties[GROUPS] as unknown as {
      default: object;
      properties: object;
    };
    for (const names of [Object.keys(setting.properties), Object.keys(setting.default)])
      assert.deepEqual(names.sort(), [...TOOL_GROUPS].sort());
    assert.deepEqual(
      TOOL_GROUPS.filter((name) => !features.tools.some(({ group }) => group === name)),
      [],
    );
  });
});
