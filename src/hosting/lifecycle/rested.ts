import { clock } from '../../util/clock.ts';

/** How many times longer than the last run the pause after it is. */
const REST = 20;

/**
 * Runs something whenever it is called, but in a twentieth of the time at most, however often that is. Calls during a run or the pause
 * after it lead to one more run.
 *
 * @param run must not reject
 */
export function rested(run: () => Promise<void>): { (): void; dispose(): void } {
  let [isBusy, isWanted, isOver] = [false, false, false];
  let cancel = () => {};
  const call = async () => {
    isWanted = true;
    if (isBusy || isOver) return;
    [isBusy, isWanted] = [true, false];
    const start = clock.now();
    await run();
    if (isOver) return;
    cancel = clock.after(REST * (clock.now() - start), () => {
      isBusy = false;
      if (isWanted) void call();
    });
  };
  const start = () => void call();
  start.dispose = () => {
    isOver = true;
    cancel();
  };
  return start;
}
