import { startAndAwaitLine, stopProcess } from './process.ts';
import { runWrk, type WrkFigures } from './wrk.ts';

/** Measures the requests per second of a minimal server under the load that errgate gets. */
export async function measureBaseline(
  file: string,
  seconds: number,
  load: (port: number) => Promise<WrkFigures> = (port) => runWrk(port, '/', 'none', seconds, 1),
): Promise<number> {
  const { child, line } = await startAndAwaitLine(process.execPath, ['--import=tsx', file], {}, /^\d+$/);
  try {
    const figures = await load(Number(line));
    if (figures.non2xx > 0) throw new Error(`${file} refused ${figures.non2xx} requests`);
    return figures.requests / figures.seconds;
  } finally {
    await stopProcess(child, 'SIGKILL');
  }
}
