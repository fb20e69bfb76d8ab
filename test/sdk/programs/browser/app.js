// What a person's first page looks like: the SDK with its debug option, one exception with a cause, one message.
/* global Sentry, URLSearchParams, location */
Sentry.init({
  dsn: new URLSearchParams(location.search).get('dsn'),
  release: 'shop@1.4.2',
  environment: 'staging',
  debug: true,
});

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
Sentry.captureMessage('hello from a browser', 'warning');
globalThis.sent = Sentry.flush(20_000);
