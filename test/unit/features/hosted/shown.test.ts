import assert from 'node:assert/strict';
import { redactedItems, resourcesIn, withShownPictures } from '../../../../src/features/hosted/shown.ts';
import { PNG } from '../../../picture.ts';
import { cleanUp, openWindow } from '../window.ts';

describe('features/hosted/shown', () => {
  afterEach(cleanUp);

  const text = { type: 'text', text: 'x' };
  const picture = { type: 'image', data: PNG, mimeType: 'image/png', annotations: { priority: 1 } };
  const misnamed = { ...picture, mimeType: 'image/jpeg' };
  const svg = { type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/svg+xml' };
  const leftOut = {
    type: 'text',
    text: '[A picture is left out: it is of no kind that models take (PNG, JPEG, GIF, WebP).]',
  };

  it('shows pictures as what they are, or a text, in results of tools and in prompts', () => {
    const broken = { ...picture, data: PNG.replace(/.{40}/g, '$&\r\n') };
    const given = [text, picture, broken, misnamed, svg, { type: 'image' }, null];
    const shown = [text, picture, picture, picture, leftOut, { type: 'image' }, null];
    assert.deepEqual(withShownPictures('tools/call', { content: given, isError: false }), {
      content: shown,
      isError: false,
    });
    const messages = (contents: unknown[]) => contents.map((content) => ({ role: 'user', content }));
    assert.deepEqual(withShownPictures('prompts/get', { messages: messages(given) }), {
      messages: messages(shown),
    });
    const other = { contents: [misnamed] };
    assert.equal(withShownPictures('resources/read', other), other);
    const data = { structuredContent: {} };
    assert.equal(withShownPictures('tools/call', data), data);
  });

  it('finds the URIs of resources in results, in all places, and nothing else', () => {
    const link = { type: 'resource_link', uri: 'a:1', name: 'n', icons: [{ src: 'a:icon' }] };
    const embedded = {
      type: 'resource',
      resource: { uri: 'a:2', text: 'a:2', mimeType: 'x' },
      _meta: { uri: 'a:2' },
    };
    const text = { type: 'text', text: 'a:1', uri: 'a:1' };
    const structuredContent = { content: [link], uri: 'a:1' };
    const message = (content: object) => ({ role: 'user', content });
    const contents = { uri: 'a:1', blob: '' };
    const cases: [string, object, object[]][] = [
      [
        'tools/call',
        { content: [link, embedded, text, null], structuredContent, x: 1 },
        [link, embedded.resource],
      ],
      ['prompts/get', { messages: [message(embedded), message([link]), 1] }, [embedded.resource, link]],
      ['resources/read', { contents: [contents, { uri: 1 }] }, [contents]],
      ['tools/list', { tools: [link], content: [link] }, []],
    ];
    for (const [method, result, resources] of cases) {
      const found = resourcesIn(method, result);
      assert.equal(found.length, resources.length, method);
      for (const [index, one] of found.entries()) assert.equal(one, resources[index]);
    }
  });

  it('leaves out an item of a list that nests too deep to redact, and no others', () => {
    const { ctx, fake } = openWindow();
    fake.person.sets('workspaceMcp.access.redact', ['cheese']);
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}"cheese"${'}'.repeat(100_000)}`);
    const items = [{ name: 'cheese', about: 'cheese' }, { name: 'b', about: deep }, { name: 'c' }];
    const shown = [{ name: 'cheese', about: '[redacted]' }, { name: 'c' }];
    assert.deepEqual(redactedItems(items, 'name', ctx), shown);
  });
});
