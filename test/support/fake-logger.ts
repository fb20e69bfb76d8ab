import type { Logger } from '../../src/observability/logger.ts';

/** Writes a line: an object or the message, and the message after an object. */
type WriteLine = (bindings: unknown, message?: string) => void;

/** Makes a logger whose lines go to `at` of their level. Its children are the logger itself. */
export function fakeLogger(at: (level: keyof Omit<Logger, 'child'>) => WriteLine): Logger {
  const logger: Logger = {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    child: () => logger,
  };
  return logger;
}

/** Logger whose lines nobody reads. */
export const SILENT_LOGGER = fakeLogger(() => () => undefined);
