import assert from 'node:assert/strict';
import fc from 'fast-check';
import { URI } from 'vscode-uri';
import { hostedUri, originalUri } from '../../../../src/hosting/names/hostedUris.ts';
import { toHosted, urisIn } from '../../../../src/hosting/names/rewriteUris.ts';

const slug = fc.stringMatching(/^[a-z0-9-]{1,16}$/);
const uri = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9+.-]{0,8}$/), fc.string())
    .map(([scheme, rest]) => `${scheme}:${rest}`),
);
describe('hosting/names/rewriteUris: URIs', () => {
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

  it('of results are rewritten in all places of resources, and nothing else is changed', () => {
    const link = { type: 'resource_link', uri: 'a:1', name: 'n', icons: [{ src: 'a:icon' }] };
    const embedded = {
      type: 'resource',
      resource: { uri: 'a:2', text: 'a:2', mimeType: 'x' },
      _meta: { uri: 'a:2' },
    };
    const text = { type: 'text', text: 'a:1', uri: 'a:1' };
    const hostedLink = { ...link, uri: 'hosted://s/a:1' };
    const hostedEmbedded = { ...embedded, resource: { ...embedded.resource, uri: 'hosted://s/a:2' } };
    const structuredContent = { content: [link], uri: 'a:1' };
    const message = (content: object) => ({ role: 'user', content });
    const read = (uri: string) => ({ contents: [{ uri, blob: '' }] });
    const both = [
      { content: [link, embedded, text], structuredContent, x: 1 },
      { content: [hostedLink, hostedEmbedded, text], structuredContent, x: 1 },
    ] as const;
    const cases: [string, object, object][] = [
      ['tools/call', ...both],
      [
        'prompts/get',
        { messages: [message(embedded), message([link])] },
        { messages: [message(hostedEmbedded), message([hostedLink])] },
      ],
      ['resources/read', read('a:1'), read('hosted://s/a:1')],
      ['tools/list', { tools: [link] }, { tools: [link] }],
    ];
    for (const [method, result, hosted] of cases) {
      const before = structuredClone(result);
      assert.deepEqual(toHosted(method, 's', result), hosted, method);
      assert.deepEqual(result, before);
      assert.equal(toHosted(method, 's', result, new Set(urisIn(method, result))), result);
    }
  });
});
