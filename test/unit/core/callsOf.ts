/** How often something calls a method of a prototype: what it costs, on however busy a machine. */
export function callsOf<T extends object>(prototype: T, method: keyof T, run: () => void): number {
  const original = prototype[method] as (...args: unknown[]) => unknown;
  let calls = 0;
  const counted = function (this: unknown, ...args: unknown[]) {
    calls++;
    return original.apply(this, args);
  };
  Object.assign(prototype, { [method]: counted });
  try {
    run();
  } finally {
    Object.assign(prototype, { [method]: original });
  }
  return calls;
}
