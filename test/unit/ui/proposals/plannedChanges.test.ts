import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../../until.ts';

const { PlannedChanges } = await import('../../../../src/ui/proposals/plannedChanges.ts');
const { commands, window } = await import('vscode');

describe('ui/proposals/plannedChanges', () => {
  type Tab = { input: { modified: string }; group: { viewColumn: number } };
  let tabs: Tab[];
  let closed: (event: { closed: Tab[] }) => void;
  let shown: unknown[];
  let told: string[];
  const texts = { set: (name: string) => name, close: async () => {} };
  let cancelled = () => {};
  const token = { onCancellationRequested: (listener: () => void) => (cancelled = listener) };
  const plan = (...files: string[]) => files.map((file) => ({ file, before: 'a', after: 'b' })) as never;

  beforeEach(() => {
    [tabs, shown, told] = [[], [], []];
    Object.assign(window, {
      tabGroups: {
        get all() {
          return [{ tabs }];
        },
        onDidChangeTabs: (listener: typeof closed) => {
          closed = listener;
          return { dispose() {} };
        },
      },
      withProgress: (_: unknown, run: (progress: object, token: object) => Promise<unknown>) =>
        run({ report: ({ message }: { message: string }) => told.push(message) }, token),
      showTextDocument: async (uri: string) => shown.push(uri),
    });
    Object.assign(commands, {
      executeCommand: async (_: string, __: string, modified: string, title: string) => {
        shown.push(title);
        if (tabs.length === 0) tabs.push({ input: { modified }, group: { viewColumn: 2 } });
      },
    });
  });
  afterEach(() => {
    for (const name of ['tabGroups', 'withProgress', 'showTextDocument'])
      Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(commands, 'executeCommand');
  });

  async function asked() {
    const plans = new PlannedChanges(texts as never);
    const answer = plans.ask(plan('/a.json'), { title: 'A', text: 'A?' });
    await until(() => tabs.length > 0, 'the diff');
    return { plans, answer };
  }

  it('waits for one answer at a time: whatever else is asked shows the open diff', async () => {
    const { plans, answer } = await asked();
    assert.deepEqual(plans.open, ['Planned a.json']);
    assert.equal(await plans.ask(plan('/b.json'), { title: 'B', text: 'B?' }), false);
    assert.equal(await plans.reveal(), true);
    plans.write();
    assert.equal(await answer, true);
    assert.deepEqual(shown, ['A', 'A', 'A']);
    assert.deepEqual([plans.open, plans.hasWritten, await plans.reveal()], [undefined, true, false]);
  });

  it('has the changes of several files in one diff, each below its path', async () => {
    const read = new Map<string, string>();
    const set = (name: string, text: string) => {
      read.set(name, text);
      return name;
    };
    const plans = new PlannedChanges({ ...texts, set } as never);
    const answer = plans.ask(plan('/a.json', '/b.json'), { title: 'AB', text: 'AB?' });
    await until(() => tabs.length > 0, 'the diff');
    assert.deepEqual(
      [...read],
      [
        ['Now a.json, b.json.txt', '// /a.json\na\n\n// /b.json\na\n'],
        ['Planned a.json, b.json.txt', '// /a.json\nb\n\n// /b.json\nb\n'],
      ],
    );
    plans.cancel();
    assert.equal(await answer, false);
  });

  it('asks about any text too, by the notification alone, until it is answered', async () => {
    const plans = new PlannedChanges(texts as never);
    const question = { title: 'T', text: 'Start?', yes: 'Start', no: 'Later' };
    const answer = plans.askAbout({ after: { name: 'long', text: 'x' } }, question);
    await until(() => shown.length > 0, 'the text');
    assert.deepEqual([shown, plans.open], [['long'], undefined]);
    assert.match(told.at(-1) ?? '', /^\[Start\]\(command:\S+\) · \[Later\]\(command:\S+\) · Start\?$/);
    plans.write();
    assert.equal(await answer, true);
  });

  it('takes Cancel of the notification as a no', async () => {
    const { plans, answer } = await asked();
    assert.match(told.at(-1) ?? '', /^\[Write\]\(command:\S+\) · A\?$/);
    cancelled();
    assert.equal(await answer, false);
    assert.equal(plans.hasWritten, false);
  });

  it('takes the closing of the diff as a no, but not its move to another group', async () => {
    const { plans, answer } = await asked();
    const [tab] = tabs as [Tab];
    closed({ closed: [tab] }); // and opened: it is still there
    await turn();
    assert.ok(plans.open);
    tabs.pop();
    closed({ closed: [tab] });
    assert.equal(await answer, false);
  });
});
