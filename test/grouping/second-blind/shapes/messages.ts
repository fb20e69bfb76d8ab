import { logged } from '../event.ts';

export const pythonSdk = ['sentry.python', '2.18.0'] as const;

export const nodeSdk = ['sentry.javascript.node', '8.38.0'] as const;

export const javaSdk = ['sentry.java.logback', '7.18.0'] as const;

export const rubySdk = ['sentry.ruby', '5.21.0'] as const;

export const phpSdk = ['sentry.php', '4.10.0'] as const;

export const goSdk = ['sentry.go', '0.29.1'] as const;

/** A record of Python's logging: the template and its parameters. */
export const record = (logger: string, message: string, params: readonly unknown[], formatted?: string) =>
  logged('python', pythonSdk, {
    logger,
    logentry: { message, params, ...(formatted === undefined ? {} : { formatted }) },
  });

/** A text that was put together before the SDK saw it. */
export const text = (platform: string, sdk: readonly [string, string], message: string) =>
  logged(platform, sdk, { message });
