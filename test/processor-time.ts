/**
 * Measures the milliseconds of processor time that some work costs this thread. Unlike the time that passes, it does not depend on what else
 * the machine and the other test files do.
 */
export async function measureProcessorTime(work: () => unknown): Promise<number> {
  const started = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}
