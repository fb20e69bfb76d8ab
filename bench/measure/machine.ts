import { cpus, totalmem } from 'node:os';

/** Description of the machine that was measured. */
export function machineName(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
