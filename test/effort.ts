/**
 * What something costs this process, in milliseconds of a processor: however busy the machine is, or how long it waits. For
 * what grows out of all proportion when it is done the wrong way; how fast things are is for test/bench.
 */
export async function effort(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
