import type { AccessSettings } from './accessSettings.ts';

/** A workspace folder for the policy. The path of a folder in a virtual file system is `scheme://authority/path`. */
export interface PolicyFolder {
  /** As the user opened it. `realPath` has all links resolved. */
  path: string;
  realPath: string;
  settings: AccessSettings;
  /** Its file system ignores case, although the platform's usual ones do not. */
  ignoresCase?: boolean;
}
