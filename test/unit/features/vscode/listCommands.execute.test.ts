import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { editorCommandGrant } from '../../../../src/core/grants.ts';
import { executeCommand } from '../../../../src/features/vscode/listCommands.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const SECRET = {
  'workspaceMcp.access.deniedPaths': ['closed/**'],
  'workspaceMcp.access.redact': ['hunter\\d+'],
};

/** A window with a command that answers with its arguments. */
function openShop(answer: (...args: unknown[]) => unknown = (...args) => args): Window {
  const window = openWindow({ 'a.txt': 'a', 'closed/b.txt': 'b' }, { user: SECRET });
  const commands = [{ command: 'shop.order', title: 'Order', category: 'Shop' }];
  window.fake.extensions.all.push({
    id: 'vendor.shop',
    packageJSON: { contributes: { commands } },
    activate: async () => {},
  });
  window.fake.answers.set('shop.order', answer);
  return window;
}

const once = (window: Window, args: object = {}) => {
  window.consent.answers.push({ allow: 'once' });
  return window.run(executeCommand, { command: 'shop.order', ...args });
};

describe('features/vscode/listCommands: execute_command', () => {
  afterEach(cleanUp);

  it('asks with title, id, extension and arguments', async () => {
    const window = openShop(() => ({ ok: true }));
    assert.deepEqual(textsOf(await once(window, { arguments: [{ $uri: 'a.txt' }] })), ['{"ok":true}']);
    const [question] = window.consent.questions;
    assert.deepEqual(
      [question?.kind, question?.grants, question?.subject, question?.commandLine, question?.arguments],
      [
        'command',
        [editorCommandGrant({ id: 'shop.order', arguments: [{ $uri: 'a.txt' }] })],
        ...['Shop: Order', 'shop.order'],
        { extension: 'vendor.shop', arguments: [{ $uri: 'a.txt' }] },
      ],
    );
  });

  it('is allowed for a session with the arguments that were shown, and denied whatever they are', async () => {
    const window = openShop(() => 'done');
    const call = (args: unknown[]) => window.run(executeCommand, { command: 'shop.order', arguments: args });
    window.consent.otherwise = () => ({ allow: 'session' });
    for (const args of [[1], [1], [2], [], [], ['x'.repeat(3_000)], ['x'.repeat(3_000)]]) await call(args);
    const asked = window.consent.questions.map((one) => one.arguments?.arguments ?? []);
    assert.deepEqual(asked.slice(0, 3), [[1], [2], []]);
    assert.equal(asked.length, 5); // long arguments are asked about each time
    window.consent.otherwise = () => ({ deny: '', session: true });
    await assert.rejects(call([3]), /denied this call/);
    for (const args of [[3], [4], [], ['x'.repeat(3_000)]])
      await assert.rejects(call(args), /every call of the command shop.order/);
    assert.equal(window.consent.questions.length, 6);
    window.grantee.denied.clear();
    window.grantee.denied.add('command');
    await assert.rejects(call([1]), /denied every call/);
  });

  it('passes the types of VS Code, and shows them alike', async () => {
    const window = openShop();
    const spelled = [
      ...[
        { $uri: 'a.txt' },
        { $position: [1, 2] },
        { $range: [1, 2, 3, 4] },
        { deep: [{ $position: [3, 1] }] },
        null,
        'x',
      ],
    ];
    assert.deepEqual(textsOf(await once(window, { arguments: spelled })), [JSON.stringify(spelled)]);
    const { args } = window.fake.commandsRun.at(-1) ?? assert.fail();
    const { Uri, Position, Range, Location } = window.fake.api;
    assert.ok(args[0] instanceof Uri && args[1] instanceof Position && args[2] instanceof Range);
    assert.deepEqual(args[1], new Position(0, 1));
    const place = { $uri: 'a.txt', $range: [1, 1, 1, 2] };
    await once(window, { arguments: [place] });
    assert.ok(window.fake.commandsRun.at(-1)?.args[0] instanceof Location);
  });

  for (const [name, spelled] of [
    ['a closed file', { $uri: 'closed/b.txt' }],
    ['a file outside', { $uri: '/etc/passwd' }],
    ['a closed file deep inside', [{ a: { b: [{ $uri: 'closed/b.txt' }] } }]],
    ['an absolute path as text', '/etc/passwd'],
    ['a path that leads out as text', '../../etc/passwd'],
    ['a path as a name', { '/etc/passwd': 1 }],
    ['a URI as text', ' FILE:///etc/passwd'],
    ['a command as text', 'command:shop.order'],
    ['a marshalled Uri', { $mid: 1, path: '/etc/passwd', scheme: 'file' }],
    ['the parts of a Uri', { scheme: 'file', path: '/etc/passwd' }],
    ['lines from 0', { $position: [0, 1] }],
    ['another field', { $uri: 'a.txt', x: 1 }],
    ['two types', { $uri: 'a.txt', $position: [1, 1] }],
  ] as const)
    it(`refuses ${name}, without a question`, async () => {
      const window = openShop();
      window.fake.answers.set('command:shop.order', () => {});
      const refused = once(window, { arguments: [spelled] });
      await assert.rejects(refused, /outside|closed|denied|Spell|not allowed|no file/);
      const seen = [window.consent.questions.length, window.fake.commandsRun.map(({ command }) => command)];
      assert.deepEqual(seen, [0, ['_getAllCommands']]);
    });

  itWithLinks('refuses a link to a closed file', async () => {
    const window = openShop();
    symlinkSync(window.path('closed/b.txt'), window.path('link.txt'));
    await assert.rejects(once(window, { arguments: [{ $uri: 'link.txt' }] }), /closed|denied/);
  });

  for (const [command, why] of [
    ['runCommands', /by their names/],
    ['_workbench.open', /internal/],
    ['workbench.action.quit', /ends, hides/],
    ['shop.order ', /no command/],
    ['SHOP.ORDER', /no command/],
    ['ѕhop.order', /no command|internal/],
  ] as const)
    it(`refuses ${command}`, async () => {
      const window = openShop();
      window.fake.answers.set(
        command.trim() === command && /^[\w.]+$/.test(command) && command !== 'SHOP.ORDER' ? command : 'x',
        () => {},
      );
      await assert.rejects(once(window, { command }), why);
      assert.equal(window.consent.questions.length, 0);
    });

  it('opens no addresses', async () => {
    const window = openShop();
    window.fake.answers.set('vscode.open', () => {});
    const refused = once(window, { command: 'vscode.open', arguments: ['https://example.org'] });
    await assert.rejects(refused, /Spell/);
    const failing = once(window, { command: 'vscode.open', arguments: [{ $uri: 'https://example.org' }] });
    await assert.rejects(failing, /outside/);
    assert.match(
      textsOf(await once(window, { command: 'vscode.open', arguments: [{ $uri: 'a.txt' }] }))[0] ?? '',
      /ran/,
    );
  });

  it('leaves out what is closed, functions and private fields, and redacts', async () => {
    const window = openShop();
    const { Uri } = window.fake.api;
    const [open, closed] = ['a.txt', 'closed/b.txt'].map((file) => Uri.file(window.path(file)));
    const answers: [unknown, ...string[]][] = [
      [
        [
          { name: 'A', at: { uri: open } },
          { name: 'B', at: { uri: closed } },
        ],
        '[{"name":"A","at":{"uri":{"$uri":"a.txt"}}}]',
        '1 more place is outside',
      ],
      [{ text: 'b', uri: closed }, 'null', '1 more place is outside'],
      [[[closed, ['problem']]], '[]', '1 more place is outside'],
      [new Map([[open, 1]]), '[[{"$uri":"a.txt"},1]]'],
      [[window.path('closed/b.txt'), '/usr/bin/python'], '["/usr/bin/python"]', '1 more place is outside'],
      [{ a: 1, f: () => 1, _b: 2, c: 'hunter22', d: 5n, e: undefined }, '{"a":1,"c":"[redacted]","d":"5"}'],
      [new Uint8Array(3), '"[3 bytes]"'],
      [undefined, 'The command ran, without a result.'],
    ];
    for (const [answer, json, note] of answers) {
      window.fake.answers.set('shop.order', () => answer);
      const [shown, said = ''] = textsOf(await once(window));
      assert.deepEqual([shown, said.startsWith(note ?? '')], [json, true]);
    }
  });

  it('bounds what is circular, deep, wide and long', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = [deep];
    const wide = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
    const window = openShop();
    for (const [answer, what] of [
      [circle, /circular/],
      [new Array(2 ** 32 - 1), /…/],
      [deep, /…/],
      [wide, /"index":1\b/],
      ['x'.repeat(10_000_000), /…/],
      [
        {
          get bad() {
            throw new Error('no');
          },
        },
        /cannot be shown/,
      ],
    ] as const) {
      window.fake.answers.set('shop.order', () => answer);
      const all = textsOf(await once(window)).join('\n');
      assert.match(all, what);
      assert.ok(all.length < 25_000, `${all.length}`);
    }
  });

  it('says what failed', async () => {
    const window = openShop(() => {
      throw new Error('no hunter22');
    });
    await assert.rejects(once(window), /^UserError: The command failed: no \[redacted\]$/);
  });

  describe('that takes long', () => {
    const clock = holdClock();

    it('goes on', async () => {
      const window = openShop();
      window.fake.answers.set('shop.order', () => new Promise(() => {}));
      const result = once(window);
      await clock.passWait(45_000);
      assert.match(textsOf(await result)[0] ?? '', /still runs/);
    });
  });
});
