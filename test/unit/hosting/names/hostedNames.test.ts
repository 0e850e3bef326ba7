import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hostedNames, serverSlugs } from '../../../../src/hosting/names/hostedNames.ts';

const slugsOf = (...names: string[]): string[] => [
  ...serverSlugs(names.map((name, id) => ({ id: `${id}`, name }))).values(),
];
/** Often equal after they were shortened or had characters replaced. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', '-', '_', '.', 'é', '数'), maxLength: 60 }),
  fc.string(),
);

describe('hosting/names/hostedNames', () => {
  it('makes slugs of names', () => {
    assert.deepEqual(slugsOf('mysql', 'My Café', 'git_hub'), ['mysql', 'my-cafe', 'git-hub']);
    const [long, chinese] = slugsOf('a-very-long-server-name', '数据库');
    assert.match(`${long}`, /^a-very-long-[0-9a-f]{4}$/);
    assert.equal(chinese, 'server');
  });

  it('keeps an exact name; others that would be the same get a hash, in any order', () => {
    const [exact, other] = slugsOf('my-db', 'My DB');
    assert.equal(exact, 'my-db');
    assert.match(`${other}`, /^my-db-[0-9a-f]{4}$/);
    const servers = ['b:db', 'a:db'].map((id) => ({ id, name: 'db' }));
    assert.deepEqual(serverSlugs(servers), new Map([...serverSlugs(servers.toReversed())].reverse()));
    assert.equal(new Set(serverSlugs(servers).values()).size, 2);
  });

  it('names tools after their server, and keeps long names stable when others come', () => {
    assert.deepEqual(
      [...hostedNames('mysql', ['query', 'a.b'])],
      [
        ['query', 'mysql__query'],
        ['a.b', 'mysql__a_b'],
      ],
    );
    const long = 'browser_wait_for_network_idle_and_animations';
    const alone = hostedNames('browser', [long]).get(long);
    assert.match(`${alone}`, /^browser__browser_wait_for_network_idle_[0-9a-f]{4}$/);
    assert.equal(hostedNames('browser', [`${long}_too`, long]).get(long), alone);
  });

  it('never gives a name twice, or one that is too long or that an API refuses', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 30 }), fc.uniqueArray(name), (servers, tools) => {
        const slugs = slugsOf(...servers);
        assert.equal(new Set(slugs).size, servers.length);
        for (const slug of slugs) assert.match(slug, /^[a-z0-9-]{1,16}$/);
        const all = slugs.flatMap((slug) => [...hostedNames(slug, tools).values()]);
        assert.equal(new Set(all).size, servers.length * tools.length);
        for (const one of all) assert.match(one, /^[a-z0-9-]+__[\w-]+$/);
        for (const one of all) assert.ok(one.length <= 44);
      }),
    );
  });
});
