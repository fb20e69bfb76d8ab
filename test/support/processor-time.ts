/** Milliseconds of processor time that synchronous work takes. Other load on the machine does not lengthen them. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
