/** Ends with an error that nothing catches, in the given way, while errors are reported to the given DSN. */
import { SELF_REPORT_HEADER } from '../../src/gateway/http/middleware/self-report.ts';
import { startSelfMonitoring } from '../../src/thirdparty/self-monitoring.ts';
import { fakeLogger } from './fake-logger.ts';

const [dsn = '', how] = process.argv.slice(2);
startSelfMonitoring({
  dsn,
  version: '1.2.3',
  logger: fakeLogger(() => () => undefined),
  markHeader: SELF_REPORT_HEADER,
});
if (how === 'rejected') void Promise.reject(new RangeError('nobody waits'));
else if (how === 'text') setImmediate(() => fail('a secret text'));
else setImmediate(() => fail(new RangeError('nobody catches')));

function fail(reason: unknown): never {
  throw reason;
}
