import { stableShimPath } from '../../socket/stableShim.ts';
import { HOME_VARIABLE, stateDirectory } from '../../socket/windowRecord.ts';
import type { ShimLocation } from './configurations.ts';

/** Where the shim of this user lies: agents strip the environment, so a moved state directory has to be named. */
export function shimLocation(env: NodeJS.ProcessEnv = process.env): ShimLocation {
  const home = stateDirectory(env);
  return { path: stableShimPath(home), env: env[HOME_VARIABLE] ? { [HOME_VARIABLE]: home } : {} };
}
