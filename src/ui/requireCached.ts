import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { readIfThere, replaceFile } from '../ipc/replaceFile.ts';

/** Milliseconds until the compiled code is saved: what the first calls need is compiled by then. */
const LATER = 20_000;

/**
 * Loads a large CommonJS file as `require` does. V8's compiled code is kept in a file, which saves half of the time: an agent waits
 * for it in each new window.
 *
 * @param cache path of that file; its folder may be missing
 * @param later when it is saved, in milliseconds
 */
export function requireCached<T>(path: string, cache: string, require: NodeJS.Require, later = LATER): T {
  const known = require.cache[path];
  if (known) return known.exports;
  const source = readFileSync(path);
  const cachedData = compiledIn(readIfThere(cache), source);
  const script = new Script(Module.wrap(source.toString()), { filename: path, cachedData });
  const module = new Module(path);
  script.runInThisContext().call(module.exports, module.exports, require, module, path, dirname(path));
  require.cache[path] = module;
  if (!cachedData || script.cachedDataRejected) setTimeout(save, later, script, source, cache).unref();
  return module.exports;
}

/** V8 checks no more than the length of the source, so the file begins with a hash of source and code. */
function compiledIn(kept: Buffer | undefined, source: Buffer): Buffer | undefined {
  const code = kept?.subarray(32);
  return code && hashOf(source, code).equals(kept?.subarray(0, 32) as Buffer) ? code : undefined;
}

const hashOf = (...parts: Buffer[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

function save(script: Script, source: Buffer, cache: string): void {
  const code = script.createCachedData();
  try {
    mkdirSync(dirname(cache), { recursive: true });
    replaceFile(cache, Buffer.concat([hashOf(source, code), code]), { mode: 0o600 });
  } catch {
    // the next window compiles it again
  }
}
