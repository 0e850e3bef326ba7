import type { AccessSettings } from './accessSettings.ts';

/** A workspace folder as the policy sees it; one of a virtual file system has `scheme://authority/path` for its path. */
export interface PolicyFolder {
  /** As it was opened, and with all links resolved. */
  path: string;
  realPath: string;
  settings: AccessSettings;
  /** Its file system takes `A` and `a` for the same name, though the platform's usual ones do not. */
  ignoresCase?: boolean;
}
