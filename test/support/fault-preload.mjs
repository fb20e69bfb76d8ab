/**
 * Loaded into each thread of a service under test by `--import`. It simulates a full disk and a wrong clock.
 * While the file named by `ERRGATE_TEST_NO_SPACE` exists, appending to files fails as on a full disk.
 * The file named by `ERRGATE_TEST_CLOCK` holds the clock's error in milliseconds; it is read every 20 ms.
 * Each thread writes the error it applies to a file of the same name, with its thread number appended.
 * The file named by `ERRGATE_TEST_TIME` holds milliseconds that have passed beside those of the machine: wall clock and
 * steady clock go on by them. Timers do not.
 */
import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
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

const timeFile = process.env['ERRGATE_TEST_TIME'];
if (timeFile !== undefined) {
  const { now: lateNow } = Date;
  const trueSteady = performance.now.bind(performance);
  let passed = 0;
  let lookAt = 0;
  const more = () => {
    const at = trueSteady();
    if (at >= lookAt) {
      lookAt = at + 20;
      passed = existsSync(timeFile) ? Number(readFileSync(timeFile, 'utf8')) : 0;
    }
    return passed;
  };
  const LateDate = Date;
  globalThis.Date = class extends LateDate {
    constructor(...args) {
      super(...(args.length === 0 ? [lateNow() + more()] : args));
    }
    static now() {
      return lateNow() + more();
    }
  };
  performance.now = () => trueSteady() + more();
}
