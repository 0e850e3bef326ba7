/** Milliseconds: of quiet that is waited for, and from the first call of a burst at most. */
export interface Pause {
  quiet: number;
  atMost: number;
}

/**
 * Runs `action` once, so many milliseconds after the last call of a burst, and no later than ten times that after its first.
 *
 * @param pause asked at each call, where it may change in a burst
 */
export function debounce(action: () => void, pause: number | (() => Pause)): { (): void; dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  let first = 0;
  let disposed = false;
  const fire = () => {
    timer = undefined;
    action();
  };
  const call = () => {
    if (disposed) return;
    if (timer) clearTimeout(timer);
    else first = Date.now();
    const { quiet, atMost } = typeof pause === 'number' ? { quiet: pause, atMost: pause * 10 } : pause();
    timer = setTimeout(fire, Math.max(0, Math.min(quiet, first + atMost - Date.now())));
  };
  call.dispose = () => {
    clearTimeout(timer);
    disposed = true;
  };
  return call;
}
