import { pino, type Logger as PinoLogger } from 'pino';
import { inertJson } from '../lib/text/inert-text.ts';

/**
 * Log levels by urgency: error = a person must act, warn = recovers without action, info = lifecycle, debug =
 * development. Never per event or item: metrics count those.
 */
export type Logger = Pick<PinoLogger, 'error' | 'warn' | 'info' | 'debug'> & { child(bindings: object): Logger };

export interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'json' | 'pretty';
}

/** Paths of possible secrets in log members; their values are replaced. */
const SECRET_PATHS = ['token', 'password', 'secret', 'secretKey', 'dsn', 'authorization', 'headers', 'body', 'payload'];

/** Writes logs to stderr: stdout is for the output of commands. */
export function createLogger(options: LogOptions): Logger {
  const pretty = options.format === 'pretty' || (options.format === 'auto' && process.stderr.isTTY);
  const redact = { paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' };
  // Messages of errors contain untrusted text, which must not control a terminal.
  const hooks = { streamWrite: (line: string) => inertJson(line, pretty) };
  const base = { level: options.level, redact, base: null, hooks };
  if (!pretty) {
    return pino(base, pino.destination({ dest: 2, sync: true }));
  }
  return pino({
    ...base,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
    },
  });
}
