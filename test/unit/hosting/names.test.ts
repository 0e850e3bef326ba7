import assert from 'node:assert/strict';
import fc from 'fast-check';
import { URI } from 'vscode-uri';
import { hostedNames, hostedUri, originalUri, serverSlugs } from '../../../src/hosting/names.ts';

const slugsOf = (...names: string[]): string[] => [
  ...serverSlugs(names.map((name, id) => ({ id: `${id}`, name }))).values(),
];
/** Often equal after they were shortened or had characters replaced. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', '-', '_', '.', 'é', '数'), maxLength: 60 }),
  fc.string(),
);

const slug = fc.stringMatching(/^[a-z0-9-]{1,16}$/);
const uri = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9+.-]{0,8}$/), fc.string())
    .map(([scheme, rest]) => `${scheme}:${rest}`),
);

describe('hosting/names', () => {
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

describe('hosting/names: URIs', () => {
  it('are the same after both ways', () => {
    fc.assert(
      fc.property(slug, uri, (server, original) => {
        assert.deepEqual(originalUri(hostedUri(server, original)), { slug: server, uri: original });
      }),
    );
  });

  it('may be normalised by a client on the way', () => {
    for (const original of ['file:///a/b%20c.ts?d=e#f', 'note://1', 'urn:isbn:1']) {
      const hosted = hostedUri('s', original);
      assert.equal(originalUri(new URL(hosted).href)?.uri, original);
    }
    assert.equal(originalUri(URI.parse('HOSTED://S/note://1').toString())?.uri, 'note://1');
    assert.equal(originalUri('file:///hosted://s/a'), undefined);
  });

  it('of a template are the same whether it is expanded before or after', () => {
    const template = 'db://{host}{/path*}{?q}';
    const expand = (text: string) =>
      text.replace('{host}', 'a%2Fb').replace('{/path*}', '/c%20d/e').replace('{?q}', '?q=%25');
    const hosted = hostedUri('s', template);
    assert.equal(originalUri(hosted)?.uri, template);
    assert.equal(originalUri(expand(hosted))?.uri, expand(template));
  });
});
