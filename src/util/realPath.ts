import { realpathSync } from 'node:fs';

/** The path with all links resolved; itself where it leads nowhere (yet). */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
