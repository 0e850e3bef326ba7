/** A library of Windows that has no code: it passes one function on to another library (PE format, "Export forwarding"). */

/** Where the only section is, in the file and in memory. */
const [HEADERS, SECTION] = [0x200, 0x1000];

/** @param name of the library @param exported its function @param target as `library.function` */
export function forwarderLibrary(name: string, exported: string, target: string): Buffer {
  const exports = exportSection(name, exported, target);
  const file = Buffer.alloc(HEADERS + 0x200);
  exports.copy(file, HEADERS);
  file.write('MZ', 0);
  file.writeUInt32LE(0x40, 0x3c); // where the headers begin
  file.write('PE\0\0', 0x40);
  file.writeUInt16LE(0x8664, 0x44); // x64
  file.writeUInt16LE(1, 0x46); // sections
  file.writeUInt16LE(0xf0, 0x54); // bytes of the optional header
  file.writeUInt16LE(0x2022, 0x56); // a library
  const optional = 0x58;
  file.writeUInt16LE(0x20b, optional); // 64 bits
  file.writeBigUInt64LE(0x6_0000_0000n, optional + 24); // base in memory
  file.writeUInt32LE(0x1000, optional + 32); // alignment in memory, and in the file
  file.writeUInt32LE(0x200, optional + 36);
  file.writeUInt16LE(6, optional + 40); // versions of the system and of the subsystem
  file.writeUInt16LE(6, optional + 48);
  file.writeUInt32LE(SECTION + 0x1000, optional + 56); // bytes in memory
  file.writeUInt32LE(HEADERS, optional + 60);
  file.writeUInt16LE(3, optional + 68); // subsystem: console
  file.writeUInt32LE(16, optional + 108); // directories, of which the first is that of exports
  file.writeUInt32LE(SECTION, optional + 112);
  file.writeUInt32LE(exports.length, optional + 116);
  const section = optional + 0xf0;
  file.write('.rdata', section);
  file.writeUInt32LE(0x200, section + 8);
  file.writeUInt32LE(SECTION, section + 12);
  file.writeUInt32LE(0x200, section + 16);
  file.writeUInt32LE(HEADERS, section + 20);
  file.writeUInt32LE(0x4000_0040, section + 36); // data, to be read
  return file;
}

/** The directory of exports: counts, then the tables of addresses, names and ordinals, then the texts. */
function exportSection(name: string, exported: string, target: string): Buffer {
  const texts = [name, exported, target].map((text) => Buffer.from(`${text}\0`));
  const [nameAt = 0, exportedAt = 0, targetAt = 0] = texts.map(
    (_, index) => SECTION + 50 + Buffer.concat(texts.slice(0, index)).length,
  );
  const tables = Buffer.alloc(50);
  tables.writeUInt32LE(nameAt, 12);
  for (const at of [16, 20, 24]) tables.writeUInt32LE(1, at); // first ordinal, functions, names
  for (const [index, at] of [40, 44, 48].entries()) tables.writeUInt32LE(SECTION + at, 28 + 4 * index);
  tables.writeUInt32LE(targetAt, 40); // an address in the directory itself is a text: the target
  tables.writeUInt32LE(exportedAt, 44);
  return Buffer.concat([tables, ...texts]);
}
