import assert from 'node:assert/strict';
import { pictureKind } from '../../../src/core/picture.ts';
import { PNG } from '../../picture.ts';

const hex = (digits: string, more: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from(digits, 'hex'), more]);
const png = Buffer.from(PNG, 'base64');

function resized(width: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  return bytes;
}

const riff = (chunk: string, digits: string): Buffer => {
  const body = Buffer.concat([Buffer.from(`WEBP${chunk}`), Buffer.from(digits, 'hex')]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), size, body]);
};
const frame = (side: string) =>
  `ffd8ffe000104a46494600010100000100010000ffc0000b08${side}${side}01011100ffd9`;

describe('core/picture', () => {
  const TAKEN: [what: string, bytes: Uint8Array, mimeType: string][] = [
    ['PNG', png, 'image/png'],
    ['PNG of 8,000 pixels', resized(8_000), 'image/png'],
    ['JPEG with fill bytes', hex(frame('0010').replace('ffc0', 'ffffffc0')), 'image/jpeg'],
    ['JPEG', hex(frame('1f40')), 'image/jpeg'],
    ['JPEG with bytes after its end', hex(frame('0010'), Buffer.alloc(9)), 'image/jpeg'],
    ['GIF', hex('47494638396101000100000000003b'), 'image/gif'],
    ['WebP, extended', riff('VP8X', '0a00000000000000ff0f00ff0f00'), 'image/webp'],
    ['WebP, lossy', riff('VP8 ', '0a000000000000009d012a0a000a00'), 'image/webp'],
    ['WebP, lossless', riff('VP8L', '0a0000002f09400200'), 'image/webp'],
  ];
  for (const [what, bytes, mimeType] of TAKEN)
    it(`takes ${what}`, () => assert.deepEqual(pictureKind(bytes), { mimeType }));

  const REFUSED: [what: string, bytes: Uint8Array, problem: RegExp][] = [
    ['PNG that is cut off', png.subarray(0, 16), /^it is cut off or broken$/],
    ['JPEG that is cut off', hex('ffd8ffe000104a464946'), /cut off/],
    ['JPEG without a frame', hex('ffd8ffe000104a46494600010100000100010000ffd9'), /cut off or broken/],
    ['PNG of no pixels', resized(0), /cut off or broken/],
    ['GIF that is cut off', hex('47494638396101'), /cut off/],
    ['WebP that is cut off', hex('52494646ff0000005745425056503820'), /cut off/],
    [
      'too many bytes',
      hex('89504e470d0a1a0a', Buffer.alloc(7_000_000)),
      /^it has 7000008 bytes, and models take at most 3932160$/,
    ],
    ['too many pixels', resized(8_001), /^it has 8001 × 1 pixels, and models take at most 8000 a side$/],
    ['a JPEG with too many', hex(frame('1f41')), /8001 × 8001/],
    ['a WebP with too many', riff('VP8X', '0a00000000000000ffff00ff0f00'), /65536 × 4096/],
    [
      'ICO',
      hex('00000100010010100000010020006804000016000000'),
      /^it is ICO, and models take PNG, JPEG, GIF and WebP$/,
    ],
    ['HEIC', hex('000000186674797068656963000000006d69663168656963'), /HEIC/],
    ['AVIF', hex('0000001c6674797061766966'), /AVIF/],
    ['TIFF', hex('49492a0008000000'), /TIFF/],
    ['BMP', hex('424d36000000000000003600000028000000'), /BMP/],
    ['PSD', hex('384250530001'), /PSD/],
    ['JPEG XL', hex('ff0a00'), /JPEG XL/],
  ];
  for (const [what, bytes, problem] of REFUSED)
    it(`refuses ${what}`, () => {
      const kind = pictureKind(bytes);
      assert.ok(kind && 'problem' in kind);
      assert.match(kind.problem, problem);
    });

  it('knows what is none', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('BM is text'), hex('0001')])
      assert.equal(pictureKind(bytes), undefined);
  });
});
