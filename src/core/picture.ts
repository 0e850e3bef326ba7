import { attempt } from './errors.ts';

/** Most bytes: 5 MiB as base64. */
const MOST_PICTURE_BYTES = (5 * 1024 * 1024 * 3) / 4;
const MOST_PIXELS = 8_000;

type Size = [width: number, height: number];

/** A kind that models take. */
interface Taken {
  mimeType: string;
  isWhole(bytes: Buffer): boolean;
  /** In pixels; undefined if it does not say. @throws RangeError if it is cut off */
  size(bytes: Buffer): Size | undefined;
}

const PNG: Taken = {
  mimeType: 'image/png',
  isWhole: (bytes) => bytes.includes('IEND', -16),
  size: (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
};

const JPEG: Taken = {
  mimeType: 'image/jpeg',
  isWhole: (bytes) => bytes.includes(Buffer.of(0xff, 0xd9)),
  size: jpegSize,
};

const GIF: Taken = {
  mimeType: 'image/gif',
  isWhole: (bytes) => bytes.at(-1) === 0x3b,
  size: (bytes) => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)],
};

const WEBP: Taken = {
  mimeType: 'image/webp',
  isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
  size: webpSize,
};

/** Pictures by their first bytes, as hexadecimal digits; those of other kinds with their names. */
const KINDS: [start: RegExp, kind: Taken | string][] = [
  [/^89504e470d0a1a0a/, PNG],
  [/^ffd8ff/, JPEG],
  [/^47494638(?:37|39)61/, GIF],
  [/^52494646.{8}57454250/, WEBP],
  [/^.{8}66747970617669/, 'AVIF'],
  [/^.{8}66747970(?:6865|6d696631|6d736631)/, 'HEIC'],
  [/^(?:49492a00|4d4d002a)/, 'TIFF'],
  [/^424d.{8}00000000/, 'BMP'],
  [/^0000(?:01|02)00..00/, 'ICO'],
  [/^38425053/, 'PSD'],
  [/^(?:ff0a|0000000c(?:4a584c|6a5020))/, 'JPEG XL or JPEG 2000'],
];

/**
 * What a picture is, by its bytes: its media type, or why models do not take it. One that they do not take makes their APIs refuse
 * the whole conversation, for good. Undefined if it is no picture.
 */
export function pictureKind({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array): { mimeType: string } | { problem: string } | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const start = bytes.toString('hex', 0, 16);
  const [, kind] = KINDS.find(([pattern]) => pattern.test(start)) ?? [];
  if (kind === undefined) return undefined;
  if (typeof kind === 'string') return { problem: `it is ${kind}, and models take PNG, JPEG, GIF and WebP` };
  if (bytes.length > MOST_PICTURE_BYTES)
    return { problem: `it has ${bytes.length} bytes, and models take at most ${MOST_PICTURE_BYTES}` };
  const size = kind.isWhole(bytes) ? attempt(() => kind.size(bytes)) : undefined;
  if (size === undefined || Math.min(...size) < 1) return { problem: 'it is cut off or broken' };
  if (Math.max(...size) > MOST_PIXELS)
    return { problem: `it has ${size.join(' × ')} pixels, and models take at most ${MOST_PIXELS} a side` };
  return { mimeType: kind.mimeType };
}

/** From the frame header (ITU T.81, B.2.2): marker, length, precision, height, width. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    while (bytes[at + 1] === 0xff) at++; // fill bytes (B.1.1.2)
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return undefined;
}

/** From the first chunk (RFC 9649, 2.5 to 2.7). */
function webpSize(bytes: Buffer): Size | undefined {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  const bits = chunk === 'VP8L' ? bytes.readUInt32LE(21) : undefined;
  return bits === undefined ? undefined : [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}
