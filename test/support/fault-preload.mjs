/**
 * Loaded into a service under test by `--import`, in each of its threads. While the file that
 * `ERRGATE_TEST_NO_SPACE` names exists, appending to files fails as on a full disk; the file that
 * `ERRGATE_TEST_CLOCK` names holds milliseconds by which the clock is wrong, looked at every 20 ms; what a thread
 * goes by stands in a file of the same name with the thread's number behind it.
 */
import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { threadId } from 'node:worker_threads';

const noSpace = process.env['ERRGATE_TEST_NO_SPACE'];
if (noSpace !== undefined) {
  const { writev } = fs;
  fs.writev = (...args) => {
    if (!existsSync(noSpace)) return writev(...args);
    const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    process.nextTick(args.at(-1), error);
  };
  syncBuiltinESMExports();
}

const clockFile = process.env['ERRGATE_TEST_CLOCK'];
if (clockFile !== undefined) {
  const TrueDate = Date;
  const { now: trueNow } = Date;
  let offset = 0;
  let lookAt = 0;
  const now = () => {
    const at = trueNow();
    if (at >= lookAt) {
      lookAt = at + 20;
      const wrong = existsSync(clockFile) ? Number(readFileSync(clockFile, 'utf8')) : 0;
      if (wrong !== offset) writeFileSync(`${clockFile}.${threadId}`, String(wrong));
      offset = wrong;
    }
    return at + offset;
  };
  globalThis.Date = class extends TrueDate {
    constructor(...args) {
      super(...(args.length === 0 ? [now()] : args));
    }
    static now() {
      return now();
    }
  };
}
