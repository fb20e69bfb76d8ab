import type { AlertMessage, NamedError, ProjectPart } from '../../domain/alerts/alert-message.ts';
import type { FactKind } from '../../domain/alerts/alert-fact.ts';
import type { Level } from '../../domain/events/event.ts';
import { MAX_DETAIL, plainText } from '../event-text.ts';
import { type ErrorWords, type MessageWords, messageWords } from '../words.ts';

/**
 * Milliseconds for which an alert fires from the attempt on. Without an end it would be over after `resolve_timeout`
 * (5 minutes), maybe before its group is sent: a group waits up to `group_interval`.
 */
const FIRES_MS = 3_600_000;

type Alert = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
};

const KIND_NAMES: Readonly<Record<FactKind, string>> = {
  new: 'ErrgateNewError',
  regressed: 'ErrgateRegressedError',
  escalated: 'ErrgateEscalatedError',
  unmuted: 'ErrgateUnmutedError',
};

const MESSAGE_NAMES: Readonly<Record<AlertMessage['kind'], string>> = {
  facts: 'ErrgateSummary',
  test: 'ErrgateTest',
  heartbeat: 'ErrgateHeartbeat',
  trouble: 'ErrgateTrouble',
};

const SEVERITIES: Readonly<Record<Level, string>> = {
  fatal: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'info',
};

const severity = (level: Level | null): string => SEVERITIES[level ?? 'info'];

function times(startsAt: number, attemptAt: number): Pick<Alert, 'startsAt' | 'endsAt'> {
  return { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(attemptAt + FIRES_MS).toISOString() };
}

/** Labels identify an alert, so a repeat has the same ones. Text of events is in the environment and annotations. */
function errorAlert(named: NamedError, words: ErrorWords, project: ProjectPart['project'], attemptAt: number): Alert {
  const { environment } = named;
  return {
    labels: {
      alertname: KIND_NAMES[named.fact],
      project: project.path,
      error: named.error.id,
      severity: severity(words.level),
      ...(environment === null || environment === '' ? {} : { environment: plainText(environment, MAX_DETAIL) }),
    },
    annotations: {
      summary: words.title,
      ...(words.message === null ? {} : { description: words.message }),
      ...(words.reason === null ? {} : { reason: words.reason }),
      ...(named.release === null ? {} : { release: plainText(named.release, MAX_DETAIL) }),
      size: words.size,
    },
    ...times(named.at, attemptAt),
    generatorURL: words.url,
  };
}

function summaryAlert(message: AlertMessage, words: MessageWords, attemptAt: number): Alert {
  const [part] = message.parts;
  const release = part?.release ?? null;
  return {
    labels: {
      alertname: MESSAGE_NAMES[message.kind],
      ...(part === undefined ? {} : { project: part.project.path }),
      // Without it a later summary would only extend an earlier one.
      message: message.id,
      severity: severity(message.kind === 'trouble' ? 'error' : words.level),
    },
    annotations: {
      summary: words.headline,
      ...(words.note === null ? {} : { description: words.note }),
      ...(release === null ? {} : { release: plainText(release, MAX_DETAIL) }),
    },
    ...times(message.createdAt, attemptAt),
    ...(part === undefined ? {} : { generatorURL: part.url }),
  };
}

/**
 * Body for `POST /api/v2/alerts` of Alertmanager: an alert per named error, and a summary unless there is a single
 * error. So at most MAX_NAMED_ERRORS + 1.
 */
export function alertmanagerBody(message: AlertMessage, attemptAt: number): readonly Alert[] {
  const words = messageWords(message);
  const alerts = message.parts.flatMap((part, at) =>
    part.errors.flatMap((named, index) => {
      const error = words.parts[at]?.errors[index];
      return error === undefined ? [] : [errorAlert(named, error, part.project, attemptAt)];
    }),
  );
  const total = words.parts.reduce((sum, part) => sum + part.total, 0);
  return total === 1 && alerts.length === 1 ? alerts : [...alerts, summaryAlert(message, words, attemptAt)];
}
