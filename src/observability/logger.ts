import { pino, type Logger as PinoLogger } from 'pino';
import { inertJson } from '../lib/inert-text.ts';

/**
 * Levels by how often one expects them: error = a person must act (expected: never), warn = heals
 * itself, info = lifecycle, debug = development. Never per event or item: those are counted.
 */
export type Logger = Pick<PinoLogger, 'error' | 'warn' | 'info' | 'debug'> & { child(bindings: object): Logger };

export interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'json' | 'pretty';
}

/** Where a secret could stand in something that is logged; the values are replaced. */
const SECRET_PATHS = ['token', 'password', 'secret', 'secretKey', 'dsn', 'authorization', 'headers', 'body', 'payload'];

/** Logs go to stderr: stdout belongs to what a command prints. */
export function createLogger(options: LogOptions): Logger {
  const pretty = options.format === 'pretty' || (options.format === 'auto' && process.stderr.isTTY);
  const redact = { paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' };
  // Words from outside come in errors' messages: they must not reach a terminal as anything else than words.
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
