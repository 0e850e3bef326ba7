import assert from 'node:assert/strict';
import { NotFoundError, UserError } from '../../../src/core/errors.ts';
import type { OnContent, ResourceProvider } from '../../../src/features/resource.ts';
import { ListenRequests } from '../../../src/protocol/listenRequests.ts';
import { Subscriptions } from '../../../src/protocol/subscriptions.ts';
import { holdClock } from '../../fakes/clock.ts';
import { cleanUp, openWindow as openFeatures } from '../features/window.ts';
import { Connection } from './agent.ts';

/** Tells what a test makes it tell; in `x:`, where `x:CLOSED` cannot be read and `x:none` is not there. */
class Teller implements ResourceProvider {
  templates = [];
  following = 0;
  tell: OnContent = () => assert.fail('nobody follows');
  /** Where links lead. */
  readonly leads = new Map<string, string[]>();
  list = async () => [];
  read = async () => undefined;
  complete = async () => undefined;
  watch = () => ({ dispose: () => {} });
  canonical(uri: string) {
    if (!uri.toLowerCase().startsWith('x:')) return undefined;
    if (uri === 'x:CLOSED') return Promise.reject(new UserError('closed'));
    if (uri === 'x:none') return Promise.reject(new NotFoundError('none'));
    return Promise.resolve(this.leads.get(uri) ?? uri.toLowerCase());
  }
  follow(_ctx: unknown, onContent: OnContent) {
    this.following++;
    this.tell = onContent;
    return { dispose: () => void this.following-- };
  }
}

const listen = (id: number, ...resourceSubscriptions: unknown[]) => ({
  jsonrpc: '2.0' as const,
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions } },
});

describe('protocol/subscriptions', () => {
  const clock = holdClock();
  let provider: Teller;
  let told: string[];
  let subscriptions: Subscriptions;
  let listens: ListenRequests;
  beforeEach(() => {
    provider = new Teller();
    told = [];
    subscriptions = new Subscriptions([provider], openFeatures().ctx, (uri) => told.push(uri));
    listens = new ListenRequests(subscriptions);
  });
  afterEach(() => {
    subscriptions.dispose();
    cleanUp();
  });

  it('follow a provider while something of its is subscribed to, and no longer', () => {
    assert.equal(provider.following, 0);
    for (const uri of ['x:a', 'x:b', 'x:a']) subscriptions.set(uri, provider, uri);
    assert.equal(provider.following, 1);
    subscriptions.delete('x:a');
    assert.equal(provider.following, 1);
    subscriptions.delete('x:b');
    subscriptions.delete('x:b');
    assert.equal(provider.following, 0);
  });

  it('tell by each spelling, and of a change to it alone not what holds it', () => {
    for (const uri of ['x:A', 'x:a', 'x:a/B', 'x:a/c']) subscriptions.set(uri, provider, uri.toLowerCase());
    provider.tell('x:a/c', true);
    assert.deepEqual(told.splice(0), ['x:a/c']);
    provider.tell('x:a');
    assert.deepEqual(told.sort(), ['x:A', 'x:a', 'x:a/B']);
  });

  const AROUND: [key: string, told: string[]][] = [
    ['file:///ws/src/a.ts', ['file:///', 'file:///ws', 'file:///ws/src/', 'file:///ws/src/a.ts']],
    ['file:///ws/src/b.ts', ['file:///', 'file:///ws', 'file:///ws/src/']],
    ['file:///ws/', ['file:///', 'file:///ws', 'file:///ws/src/', 'file:///ws/src/a.ts']],
    ['list/file:///ws', ['list', 'list/file:///ws/b']],
    ['list', ['list', 'list/file:///ws/b']],
    ['untitled:', ['untitled:Untitled-1']],
    ['other', []],
  ];
  for (const [key, expected] of AROUND)
    it(`tell of what holds ${key}, and of what it holds`, () => {
      const all = AROUND.flatMap(([, uris]) => uris);
      for (const uri of [...all, 'file:///ws2', 'lists']) subscriptions.set(uri, provider, uri);
      provider.tell(key);
      assert.deepEqual(told.sort(), expected);
    });

  it('take a key with very many slashes inside', () => {
    const key = `x:${'/'.repeat(100_000)}a`;
    subscriptions.set(`${key}//`, provider, `${key}//`);
    provider.tell(key);
    assert.deepEqual(told, [`${key}//`]);
  });

  it('follow a link to where it leads now', async () => {
    subscriptions.set('x:link', provider, ['x:link', 'x:old']);
    provider.leads.set('x:link', ['x:link', 'x:new']);
    provider.tell('x:link');
    await clock.pass(300);
    provider.tell('x:old');
    assert.deepEqual(told.splice(0), ['x:link']);
    provider.tell('x:new');
    assert.deepEqual(told, ['x:link']);
  });

  it('forget what was to be told of one that is taken back', async () => {
    subscriptions.set('x:a', provider, 'x:a');
    for (let count = 0; count < 2; count++) provider.tell('x:a');
    clock.tick(240); // four times a second at most
    subscriptions.delete('x:a');
    await clock.pass(300);
    assert.deepEqual(told, ['x:a']);
  });

  it('listen from the request on, then by the one name that all spellings have', async () => {
    listens.started(listen(1, 'x:A', 'x:none', 'x:CLOSED', 'y:other', 7));
    provider.tell('x:A', true);
    assert.deepEqual(told.splice(0), ['x:A']);
    await clock.pass(300); // and for the pause
    for (const key of ['x:a', 'x:none', 'x:CLOSED']) provider.tell(key);
    assert.deepEqual(told, ['x:A', 'x:none']);
  });

  it('hand on of what is listened to what there is to tell of alone, and what is written wrongly', async () => {
    const request = listen(1, 'x:A', 'x:none', 'x:CLOSED', 'y:other', 7);
    const handedOn = await listens.started(request);
    assert.deepEqual(handedOn, listen(1, 'x:A', 'x:none', 7));
    assert.deepEqual(await listens.started(listen(2, 'x:CLOSED')), listen(2));
    for (const params of [{}, { notifications: null }, { notifications: { resourceSubscriptions: 'x:A' } }])
      assert.equal(listens.started({ ...listen(3), params }), undefined);
  });

  it('listen until the last request that names it has ended', () => {
    listens.started(listen(1, 'x:a'));
    listens.started(listen(2, 'x:a', 'x:b'));
    listens.ended(1);
    assert.equal(subscriptions.size, 2);
    listens.ended(2);
    assert.deepEqual([subscriptions.size, provider.following], [0, 0]);
  });

  it('refuse to listen to more than 1,000 resources', () => {
    const uris = Array.from({ length: 1_001 }, (_, index) => `x:${index}`);
    assert.throws(() => listens.started(listen(1, ...uris)), {
      code: -32000,
      data: { limit: 1_000, unit: 'subscribed resources' },
    });
    assert.equal(subscriptions.size, 0);
    assert.ok(listens.started(listen(1, ...uris.slice(1))));
    listens.started(listen(2, ...uris.slice(1))); // the same ones count once
    assert.throws(() => listens.started(listen(3, ...uris.slice(0, 1))), { code: -32000 });
  });

  it('hold nothing once disposed of, also what is found only then', async () => {
    listens.started(listen(1, 'x:A'));
    subscriptions.dispose();
    await clock.pass(0);
    subscriptions.set('x:b', provider, 'x:b');
    assert.deepEqual([subscriptions.size, provider.following], [0, 0]);
  });

  it('names a limit of subscriptions', () => {
    const uris = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => `${index}`.padStart(length, 'x'));
    subscriptions.requireRoom(uris(1_000, 1_000));
    assert.throws(() => subscriptions.requireRoom(uris(2, 600_000)), {
      code: -32000,
      data: { limit: 1_048_576, unit: 'characters of subscribed URIs' },
    });
    assert.throws(() => subscriptions.requireRoom(uris(1_001, 4)), {
      code: -32000,
      data: { limit: 1_000, unit: 'subscribed resources' },
    });
  });

  it('counts subscriptions that are asked for at once', async () => {
    const agent = new Connection();
    await agent.initialize('2025-11-25');
    const params = (name: string) => ({ uri: `test:${name.repeat(600_000)}` });
    for (const id of ['a', 'b'])
      agent.write({ jsonrpc: '2.0', id, method: 'resources/subscribe', params: params(id) });
    const { error } = await agent.answerTo('b');
    assert.deepEqual([error.code, error.data.limit], [-32000, 1_048_576]);
    await agent.request('resources/unsubscribe', params('a'));
    assert.ok((await agent.request('resources/subscribe', params('b'))).result);
    agent.close();
  });

  it('tell of the first change at once, then once a pause, and of the last one always', () => {
    for (const uri of ['x:a', 'x:b']) subscriptions.set(uri, provider, uri);
    const times: number[] = [];
    for (let at = 0; at < 1000; at += 10) {
      provider.tell('x:a');
      if (told.length > times.length) times.push(at);
      clock.tick(10);
      if (told.length > times.length) times.push(at + 10);
    }
    assert.deepEqual(times, [0, 260, 520, 780]);
    provider.tell('x:b');
    assert.deepEqual(told.splice(0), [...Array(4).fill('x:a'), 'x:b'], 'each has its own pause');
    for (let count = 0; count < 10; count++) clock.tick(260);
    assert.deepEqual(told.splice(0), ['x:a'], 'nothing is told twice');
    provider.tell('x:a');
    provider.tell('x:a');
    subscriptions.dispose();
    clock.tick(1000);
    assert.deepEqual(told, ['x:a']);
  });
});
