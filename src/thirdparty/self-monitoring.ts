import { createHash } from 'node:crypto';
import type { Logger } from '../observability/logger.ts';
import { type ErrorReport, reportingLogger } from '../observability/reporting.ts';
import { DEPRECATION, isDeprecatedVersion, versionIn } from './tracker-version.ts';

/** Milliseconds for the question about the version, and for sending what is left at the end. */
const VERSION_LIMIT_MS = 5000;
const FLUSH_LIMIT_MS = 2000;

export interface SelfMonitoringOptions {
  /** Null: nothing is reported, and nothing is loaded for it. */
  readonly dsn: string | null;
  /** Of errgate. */
  readonly version: string;
  readonly logger: Logger;
  /** Name of the header that tells the gateway its own reports. */
  readonly markHeader: string;
  /** Default: true. Errors that nobody catches are reported too, before the process ends of them. */
  readonly uncaught?: boolean;
}

export interface SelfMonitoring {
  /** Reports what is logged as an error. */
  readonly logger: Logger;
  /** What reports carry in the header; null when there are none. The same on all gateways with this DSN. */
  readonly mark: string | null;
  /** Asks the tracker for its version and says in the log when it is deprecated, or unknown. Never throws. */
  checkVersion(): Promise<void>;
  /** Sends what is on its way, within a bound. */
  close(): Promise<void>;
}

/** `https://key@host/sub/path/7` leads to `https://host/sub/path/api/client-config/`. */
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

async function openReporter(dsn: string, version: string, headers: Record<string, string>, uncaught: boolean) {
  const sentry = await import('@sentry/node');
  const client = new sentry.NodeClient({
    dsn,
    release: `errgate@${version}`,
    stackParser: sentry.defaultStackParser,
    transport: sentry.makeNodeTransport,
    transportOptions: { headers },
    // Only what is named here: nothing is patched, and nothing of people's requests is collected.
    integrations: [
      sentry.linkedErrorsIntegration(),
      // The process ends of them, as it does without.
      ...(uncaught
        ? [sentry.onUncaughtExceptionIntegration(), sentry.onUnhandledRejectionIntegration({ mode: 'strict' })]
        : []),
    ],
    sendClientReports: false,
    maxBreadcrumbs: 0,
    includeServerName: false,
  });
  sentry.setCurrentClient(client);
  client.init();
  return {
    report({ error, message, facts }: ErrorReport): void {
      const scope = new sentry.Scope();
      scope.setClient(client);
      scope.setTags({ ...facts, logged: message.slice(0, 200) });
      scope.captureException(error);
    },
    close: async (): Promise<void> => {
      await client.close(FLUSH_LIMIT_MS);
    },
  };
}

/** errgate's own errors, sent to the project of a DSN, which may be one of its own. */
export async function startSelfMonitoring(options: SelfMonitoringOptions): Promise<SelfMonitoring> {
  const { dsn, version, logger, markHeader, uncaught = true } = options;
  if (dsn === null) {
    return { logger, mark: null, checkVersion: () => Promise.resolve(), close: () => Promise.resolve() };
  }
  const mark = createHash('sha256').update(`errgate self report ${dsn}`).digest('hex').slice(0, 32);
  const reporter = await openReporter(dsn, version, { [markHeader]: mark }, uncaught);
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
    close: () => reporter.close(),
  };
}
