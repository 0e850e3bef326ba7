/** Packs a ZIP file once more, with deflate as tight as Zopfli makes it: 3 % fewer bytes to download, in some seconds. */
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import zopfli from '@gfx/zopfli';

/** Marks of the ZIP format (APPNOTE.TXT, 4.3), and lengths in bytes of what comes before names. */
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_LENGTH, CENTRAL_LENGTH, END_LENGTH] = [30, 46, 22];
const DEFLATED = 8;
/** More are hardly shorter. */
const PACKING = { numiterations: 5, blocksplittingmax: 40 };

const deflate = promisify(zopfli.deflate.bind(zopfli)) as (
  bytes: Uint8Array,
  options: typeof PACKING,
) => Promise<Uint8Array>;

/** @param path of a file without a comment, as vsce makes it. @throws Error if it is not one */
export async function repack(path: string): Promise<void> {
  const zip = readFileSync(path);
  const end = zip.subarray(-END_LENGTH);
  if (end.readUInt32LE(0) !== END) throw new Error(`${path} is no ZIP file without a comment.`);
  const files: Buffer[] = [];
  const heads: Buffer[] = [];
  let [at, offset] = [end.readUInt32LE(16), 0];
  for (let left = end.readUInt16LE(10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== CENTRAL) throw new Error(`${path} has no list of its files.`);
    const nameLength = zip.readUInt16LE(at + 28);
    const length = CENTRAL_LENGTH + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    const head = Buffer.from(zip.subarray(at, at + length));
    const name = head.subarray(CENTRAL_LENGTH, CENTRAL_LENGTH + nameLength);
    const data = await tighter(zip, head);
    head.writeUInt32LE(data.length, 20);
    head.writeUInt32LE(offset, 42);
    head.writeUInt16LE(head.readUInt16LE(8) & ~0x08, 8); // the lengths stand before the data
    const local = Buffer.alloc(LOCAL_LENGTH);
    local.writeUInt32LE(LOCAL, 0);
    head.copy(local, 4, 6, 30); // version, flags, method, time, checksum, lengths
    local.writeUInt16LE(0, 28);
    files.push(local, name, data);
    heads.push(head);
    offset += local.length + name.length + data.length;
    at += length;
  }
  end.writeUInt32LE(Buffer.concat(heads).length, 12);
  end.writeUInt32LE(offset, 16);
  writeFileSync(path, Buffer.concat([...files, ...heads, end]));
}

/** The data of a file as it is to be stored. */
async function tighter(zip: Buffer, head: Buffer): Promise<Buffer> {
  const local = head.readUInt32LE(42);
  const start = local + LOCAL_LENGTH + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + head.readUInt32LE(20));
  if (head.readUInt16LE(10) !== DEFLATED) return data;
  const packed = Buffer.from(await deflate(inflateRawSync(data), PACKING));
  return packed.length < data.length ? packed : data;
}
