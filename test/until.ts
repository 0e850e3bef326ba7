import { setTimeout as delay } from 'node:timers/promises';

/** How long anything is waited for, in milliseconds: a limit for what never comes, whatever else the machine does. */
export const PATIENCE = 100_000;

/** Waits until something holds. @param what for the error */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE; !(await holds()); await delay(5))
    if (performance.now() > deadline) throw new Error(`It never came: ${what}`);
}
