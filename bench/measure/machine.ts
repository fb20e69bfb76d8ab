import { cpus, totalmem } from 'node:os';

/** What the figures were measured on. */
export function machineName(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
