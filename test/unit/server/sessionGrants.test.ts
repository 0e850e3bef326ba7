import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type GrantOptions, KeptSessionGrants } from '../../../src/server/sessionGrants.ts';
import { holdClock } from '../../fakes/clock.ts';
import { keptInMemory } from '../../fakes/consent.ts';
import { silentLog } from './support.ts';

const KEY = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const SECOND = 1_000;

describe('server/sessionGrants', () => {
  const clock = holdClock();
  let now: number;
  let store: ReturnType<typeof keptInMemory>;
  let opened: KeptSessionGrants[];

  beforeEach(() => {
    now = 1e12;
    mock.method(Date, 'now', () => now);
    store = keptInMemory();
    opened = [];
  });
  afterEach(() => {
    for (const grants of opened) grants.dispose();
    mock.restoreAll();
  });

  /** A window that starts now. */
  function open(options: Partial<GrantOptions> = {}): KeptSessionGrants {
    const grants = new KeptSessionGrants({ store, isTrusted: () => true, log: silentLog, ...options });
    opened.push(grants);
    return grants;
  }

  const allowed = (grants: KeptSessionGrants, key = KEY) => [...grants.begin(key)];

  it('keeps what is allowed, and of the key its hash', () => {
    open().begin(KEY).add('edit').add('delete');
    const [kept, ...more] = store.get();
    assert.deepEqual([kept?.kinds, kept?.seen, more], [['edit', 'delete'], now, []]);
    assert.match(kept?.key ?? '', /^[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify(kept).includes(KEY));
  });

  it('the window after a reload knows it, and no other key', () => {
    open().begin(KEY).add('edit');
    now += 5 * SECOND;
    const after = open();
    assert.deepEqual([after.knows(KEY), after.knows(OTHER), after.knows('')], [true, false, false]);
    assert.deepEqual([allowed(after), allowed(after, OTHER)], [['edit'], []]);
  });

  it('for as long as an agent may take to come back', () => {
    open().begin(KEY).add('edit');
    now += 120 * SECOND;
    const inTime = open();
    now += 60 * SECOND;
    assert.ok(inTime.knows(KEY));
    now += 1;
    assert.deepEqual([inTime.knows(KEY), allowed(inTime)], [false, []]);
  });

  it('not where the window was gone for too long, or the clock says that it has not been yet', () => {
    open().begin(KEY).add('edit');
    const start = now;
    for (const gone of [120 * SECOND + 1, -1]) {
      now = start + gone;
      assert.equal(open().knows(KEY), false);
    }
  });

  it('not in a workspace that is not trusted', () => {
    open().begin(KEY).add('edit');
    const after = open({ isTrusted: () => false });
    assert.deepEqual([after.knows(KEY), allowed(after)], [false, []]);
  });

  it('what was taken back stays so, also after a reload', () => {
    const kinds = open().begin(KEY);
    kinds.add('edit').add('delete');
    kinds.delete('edit');
    const after = open();
    const taken = after.begin(KEY);
    assert.deepEqual([...taken], ['delete']);
    taken.clear();
    after.end(KEY);
    assert.deepEqual([store.get(), after.knows(KEY), allowed(after)], [[], false, []]);
  });

  it('lapses when nobody has come back, is kept no longer then, and the key is forgotten', () => {
    const grants = open();
    grants.begin(KEY).add('edit');
    grants.begin(KEY);
    grants.end(KEY);
    clock.tick(60 * SECOND);
    assert.ok(grants.knows(KEY), 'one connection of it is there');
    grants.end(KEY);
    clock.tick(60 * SECOND - 1);
    assert.ok(grants.knows(KEY));
    clock.tick(1);
    assert.deepEqual([grants.knows(KEY), store.get()], [false, []]);
  });

  it('a key of a session that was allowed nothing is forgotten at once', () => {
    const grants = open();
    grants.begin(KEY);
    assert.ok(grants.knows(KEY));
    grants.end(KEY);
    assert.equal(grants.knows(KEY), false);
    assert.deepEqual(store.get(), []);
  });

  it('notes again and again who is there: a window that goes has no time for it', () => {
    const grants = open();
    grants.begin(KEY).add('edit');
    now += 600 * SECOND;
    clock.tick(30 * SECOND);
    assert.equal(store.get()[0]?.seen, now);
    grants.begin(KEY).clear();
    const kept = store.get();
    clock.tick(60 * SECOND);
    assert.equal(store.get(), kept, 'there is nothing to note any more');
    grants.begin(KEY).add('edit');
    now += 600 * SECOND;
    clock.tick(30 * SECOND);
    now += 100 * SECOND;
    assert.deepEqual(allowed(open()), ['edit'], 'it counts from when the agent was last there');
  });

  it('keeps 50 at most, the latest, and leaves those of another window on the workspace', () => {
    const [one, other] = [open(), open()];
    one.begin(OTHER).add('delete');
    for (let count = 0; count < 60; count++) {
      now++;
      const key = `${count}`.padStart(32, '0');
      other.begin(key).add('edit');
      other.end(key);
      if (count === 10) assert.equal(store.get().length, 12);
    }
    assert.equal(store.get().length, 50);
    assert.equal(store.get()[0]?.seen, now);
    now += 121 * SECOND;
    one.begin(OTHER).add('edit');
    assert.equal(store.get().length, 1, 'what is too old is dropped');
  });

  it('goes on where nothing can be kept, and says so', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void warnings.push(line) };
    const broken = { get: () => [], set: async () => Promise.reject(new Error('disk full')) };
    const kinds = open({ store: broken, log }).begin(KEY);
    kinds.add('edit');
    await turn();
    assert.ok(kinds.has('edit'));
    assert.match(warnings.join(), /disk full/);
  });

  it('stores each change of what is allowed, and nothing else', () => {
    const stored: unknown[] = [];
    const set: typeof store.set = (kept) => {
      stored.push(kept.map(({ kinds }) => kinds));
      return store.set(kept);
    };
    const granted = open({ store: { get: store.get, set } }).begin(KEY);
    granted.add('edit').add('edit').add('delete');
    for (const kind of ['test', 'edit'] as const) granted.delete(kind);
    granted.clear();
    granted.clear();
    assert.deepEqual(stored, [[['edit']], [['edit', 'delete']], [['delete']], []]);
  });
});
