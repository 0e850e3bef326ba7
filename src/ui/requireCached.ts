import { mkdirSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { replaceFile } from '../ipc/replaceFile.ts';
import { clock } from '../util/clock.ts';
import { readIfThere } from '../util/diskPaths.ts';

/** Milliseconds until the compiled code is saved: what the first calls need is compiled by then. */
const LATER = 20_000;

/**
 * Loads a large CommonJS file as `require` does. V8's compiled code is kept in a file, which saves half of the time: an agent waits
 * for it in each new window.
 *
 * @param cache path of that file; its folder may be missing
 */
export function requireCached<T>(path: string, cache: string, require: NodeJS.Require): T {
  const known = require.cache[path];
  if (known) return known.exports;
  const source = readFileSync(path);
  const cachedData = compiledIn(readIfThere(cache), source);
  const script = new Script(Module.wrap(source.toString()), { filename: path, cachedData });
  const module = new Module(path);
  script.runInThisContext().call(module.exports, module.exports, require, module, path, dirname(path));
  require.cache[path] = module;
  if (!cachedData || script.cachedDataRejected) clock.after(LATER, () => save(script, source, cache), true);
  return module.exports;
}

/** Length of a CRC-32, in bytes. */
const SUM = 4;

/** V8 checks no more than the length of the source, so the file begins with a checksum of source and code. */
function compiledIn(kept: Buffer | undefined, source: Buffer): Buffer | undefined {
  if (!kept || kept.length < SUM) return undefined;
  const code = kept.subarray(SUM);
  return kept.readUInt32LE() === sumOf(source, code) ? code : undefined;
}

const sumOf = (source: Buffer, code: Buffer): number => crc32(code, crc32(source));

function save(script: Script, source: Buffer, cache: string): void {
  const code = script.createCachedData();
  const sum = Buffer.alloc(SUM);
  sum.writeUInt32LE(sumOf(source, code));
  try {
    mkdirSync(dirname(cache), { recursive: true });
    replaceFile(cache, Buffer.concat([sum, code]), { mode: 0o600 });
  } catch {
    // the next window compiles it again
  }
}
