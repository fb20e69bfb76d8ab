// What a person's first program looks like: the SDK with its debug option, one exception with a cause, one message.
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: process.argv[2], release: 'shop@1.4.2', environment: 'staging', debug: true });

Sentry.setUser({ id: '7', email: 'ada@example.com' });
Sentry.setTag('shard', 'eu-1');
Sentry.addBreadcrumb({ category: 'cart', message: 'added a book', level: 'info' });

function charge() {
  throw new TypeError('card number is missing');
}

function checkout() {
  try {
    charge();
  } catch (cause) {
    throw new RangeError('checkout failed', { cause });
  }
}

try {
  checkout();
} catch (error) {
  Sentry.captureException(error);
}
Sentry.captureMessage('hello from node', 'warning');
// The session of the process ends with it, by the SDK itself: no process.exit() here.
process.exitCode = (await Sentry.flush(20_000)) ? 0 : 3;
