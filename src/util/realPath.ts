import { realpathSync } from 'node:fs';

/** The path with all links resolved; the path itself if it does not exist (yet). */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
