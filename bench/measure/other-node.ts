import { spawnSync } from 'node:child_process';
import { nodeBinary } from '../../scripts/node-binary.ts';

/**
 * Runs the script of this process on another Node.js with the same arguments, and exits with its status. Returns when
 * `version` is undefined, or when this process is that run.
 */
export function continueOnNode(version: string | undefined): void {
  if (version === undefined || process.env['BENCH_NODE'] !== undefined) return;
  const { status } = spawnSync(nodeBinary(version), ['--import=tsx', ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_NODE: version },
  });
  process.exit(status ?? 1);
}
