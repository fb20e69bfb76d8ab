import { createHash } from 'node:crypto';
import type { Logger } from '../observability/logger.ts';
import { reportingLogger } from '../observability/reporting.ts';
import { parseTargetDsn } from '../domain/projects/dsn.ts';
import { AppError } from '../domain/app-error.ts';
import { Reporter } from './own-errors/reporter.ts';
import { reportUncaught } from './own-errors/uncaught.ts';
import { DEPRECATION, isDeprecatedVersion, versionIn } from './dialect/tracker-version.ts';

/** Milliseconds for the version request, and for the final flush. */
const VERSION_LIMIT_MS = 5000;
const FLUSH_LIMIT_MS = 2000;

export interface SelfMonitoringOptions {
  /** Address of reports; null: reporting is off. */
  readonly dsn: string | null;
  /** Version of errgate. */
  readonly version: string;
  readonly logger: Logger;
  /** Header that identifies reports of errgate itself. */
  readonly markHeader: string;
  /** Default: true. Uncaught errors are reported before the process exits. */
  readonly uncaught?: boolean;
}

export interface SelfMonitoring {
  /** Logger that also reports errors. */
  readonly logger: Logger;
  /** Header value of reports; null for none. The same on all gateways with this DSN. */
  readonly mark: string | null;
  /** Requests the version of the tracker and logs a deprecated or unknown one. Never throws. */
  checkVersion(): Promise<void>;
  /** Sends pending reports within a time limit. */
  close(): Promise<void>;
}

/** Converts `https://key@host/sub/path/7` to `https://host/sub/path/api/client-config/`. */
function configUrl(dsn: string): string {
  const { origin, pathname } = new URL(dsn);
  return `${origin}${pathname.replace(/\/[^/]*$/, '')}/api/client-config/`;
}

async function readVersion(dsn: string): Promise<string | null> {
  try {
    const answer = await fetch(configUrl(dsn), { redirect: 'error', signal: AbortSignal.timeout(VERSION_LIMIT_MS) });
    return answer.ok ? versionIn(await answer.json()) : null;
  } catch {
    return null;
  }
}

/** Sends errors of errgate to the project of a DSN, which may be one of errgate. */
export function startSelfMonitoring(options: SelfMonitoringOptions): SelfMonitoring {
  const { dsn, version, logger, markHeader, uncaught = true } = options;
  if (dsn === null) {
    return { logger, mark: null, checkVersion: () => Promise.resolve(), close: () => Promise.resolve() };
  }
  const mark = createHash('sha256').update(`errgate self report ${dsn}`).digest('hex').slice(0, 32);
  const target = parseTargetDsn(dsn);
  if (target === null) throw new AppError('invalid_configuration', 'the DSN of selfMonitoring is unreadable');
  const reporter = new Reporter({ dsn: target, version, headers: { [markHeader]: mark } });
  const stopUncaught = uncaught ? reportUncaught(reporter, FLUSH_LIMIT_MS) : () => undefined;
  const { host } = new URL(dsn);
  return {
    logger: reportingLogger(logger, (report) => reporter.report(report)),
    mark,
    async checkVersion() {
      const found = await readVersion(dsn);
      if (found === null) {
        logger.info({ host }, 'self-monitoring: the third-party system does not report its version');
      } else if (isDeprecatedVersion(found)) {
        logger.warn({ host, version: found }, `self-monitoring: ${DEPRECATION}`);
      }
    },
    async close() {
      await reporter.close(FLUSH_LIMIT_MS);
      stopUncaught();
    },
  };
}
