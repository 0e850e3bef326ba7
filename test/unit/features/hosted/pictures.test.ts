import assert from 'node:assert/strict';
import { withShownPictures } from '../../../../src/features/hosted/pictures.ts';
import { PNG } from '../../../picture.ts';

describe('features/hosted/pictures', () => {
  const text = { type: 'text', text: 'x' };
  const picture = { type: 'image', data: PNG, mimeType: 'image/png', annotations: { priority: 1 } };
  const misnamed = { ...picture, mimeType: 'image/jpeg' };
  const svg = { type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/svg+xml' };
  const leftOut = {
    type: 'text',
    text: '[A picture is left out: it is of no kind that models take (PNG, JPEG, GIF, WebP).]',
  };

  it('are what they are, or a text, in results of tools and in prompts', () => {
    const given = [text, picture, misnamed, svg, { type: 'image' }, null];
    const shown = [text, picture, picture, leftOut, { type: 'image' }, null];
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
});
