/** Runs `action` once, `ms` milliseconds after the last call of a burst, and no later than `atMost` after its first. */
export function debounce(action: () => void, ms: number, atMost = ms * 10): { (): void; dispose(): void } {
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
    timer = setTimeout(fire, Math.max(0, Math.min(ms, first + atMost - Date.now())));
  };
  call.dispose = () => {
    clearTimeout(timer);
    disposed = true;
  };
  return call;
}
