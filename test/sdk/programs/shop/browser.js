/* global URLSearchParams, location */
import * as Sentry from '@sentry/browser';

Sentry.init({ dsn: new URLSearchParams(location.search).get('dsn') });

function start({ checkout }) {
  try {
    checkout((text) => console.log(text));
  } catch (error) {
    Sentry.captureException(error);
  }
  return Sentry.flush(20_000);
}

globalThis.sent = import('./checkout.js').then(start);
