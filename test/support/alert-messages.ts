import type { FactKind } from '../../src/domain/alerts/alert-fact.ts';
import type { AlertMessage, FactCounts, NamedError, ProjectPart } from '../../src/domain/alerts/alert-message.ts';
import type { TrackedError } from '../../src/domain/errors/tracked-error.ts';
import type { PresentError } from '../../src/alerts/channels/webhook.ts';
import { presentError as presentForRest } from '../../src/gateway/api/errors/error-presenter.ts';

export const EXTERNAL_URL = 'https://errors.example.com';
export const AT = Date.parse('2026-11-24T04:18:00Z');

export const presentError: PresentError = (error, project) =>
  presentForRest(error, { project, integrated: error.tracker === null, externalUrl: EXTERNAL_URL });

const NO_COUNTS: FactCounts = { new: 0, regressed: 0, escalated: 0, unmuted: 0 };

export function trackedError(patch: Partial<TrackedError> = {}): TrackedError {
  return {
    id: '17',
    projectId: 3,
    type: 'TypeError',
    title: "TypeError: Cannot read properties of undefined (reading 'total')",
    message: "Cannot read properties of undefined (reading 'total')",
    culprit: 'cart/total.ts in sum',
    level: 'error',
    platform: 'javascript',
    status: 'unresolved',
    statusDetails: null,
    assignee: null,
    count: 41,
    userCount: 7,
    firstSeen: AT,
    lastSeen: AT + 60_000,
    firstRelease: 'cart@2.4.1',
    lastRelease: 'cart@2.4.1',
    externalUrl: null,
    externalIds: [],
    tracker: null,
    frequency: Array.from({ length: 24 }, (_, hour) => [1_764_000_000 + hour * 3600, hour === 23 ? 41 : 0]),
    rangeCount: null,
    marks: null,
    ...patch,
  };
}

export function namedError(patch: Partial<NamedError> = {}, error: Partial<TrackedError> = {}): NamedError {
  const tracked = trackedError(error);
  return {
    fact: 'new',
    cause: {},
    at: AT,
    release: 'cart@2.4.1',
    environment: 'production',
    error: tracked,
    url: `${EXTERNAL_URL}/shop/cart/-/error_tracking/${tracked.id}/details`,
    ...patch,
  };
}

export function projectPart(patch: Partial<ProjectPart> = {}): ProjectPart {
  const errors = patch.errors ?? [namedError()];
  const counts: Record<FactKind, number> = { ...NO_COUNTS };
  for (const { fact } of errors) counts[fact] += 1;
  return {
    project: { id: 3, path: 'shop/cart', name: 'Cart' },
    counts,
    release: 'cart@2.4.1',
    errors,
    url: `${EXTERNAL_URL}/shop/cart/-/error_tracking?first_seen_after=2026-11-24T04%3A18%3A00.000Z`,
    ...patch,
  };
}

export function alertMessage(patch: Partial<AlertMessage> = {}): AlertMessage {
  return {
    id: 'msg_01k0000000000000000000abcd',
    kind: 'facts',
    createdAt: AT + 90_000,
    since: AT,
    until: AT + 60_000,
    parts: [projectPart()],
    note: '',
    ...patch,
  };
}

const TITLES = [
  ['PaymentError', 'Card was declined by the bank', 'fatal'],
  ['TypeError', "Cannot read properties of undefined (reading 'total')", 'error'],
  ['TimeoutError', 'Stock service did not answer within 2000 ms', 'error'],
  ['KeyError', "'shipping_address'", 'error'],
  ['IntegrityError', 'duplicate key value violates unique constraint "orders_pkey"', 'error'],
  ['RangeError', 'Invalid time value', 'error'],
  ['ConnectionError', 'connect ECONNREFUSED 10.0.3.7:5432', 'error'],
  ['ValidationError', 'quantity must be at least 1', 'error'],
  ['SyntaxError', 'Unexpected token < in JSON at position 0', 'error'],
  ['NotFoundError', 'Coupon WINTER-26 does not exist', 'error'],
] as const;

/** Message after a bad deploy: 1,000 new errors of one release, the ten loudest named. */
export function floodMessage(patch: Partial<AlertMessage> = {}): AlertMessage {
  const errors = TITLES.map(([type, message, level], index) =>
    namedError(
      {},
      {
        id: String(101 + index),
        type,
        message,
        title: `${type}: ${message}`,
        level,
        count: 870 - 83 * index,
        userCount: 212 - 20 * index,
      },
    ),
  );
  return alertMessage({ parts: [projectPart({ errors, counts: { ...NO_COUNTS, new: 1000 } })], ...patch });
}

/** Message about one error whose every text is the given one. */
export function messageSaying(text: string): AlertMessage {
  const hostile = {
    type: text,
    title: text,
    message: `${text} again`,
    culprit: text,
    firstRelease: text,
    lastRelease: text,
  };
  return alertMessage({
    parts: [projectPart({ release: text, errors: [namedError({ release: text, environment: text }, hostile)] })],
  });
}

/** The same text in ten errors and the longest path, as long as they can be: payloads at their bounds. */
export function largestMessage(text: string): AlertMessage {
  const long = text.repeat(Math.ceil(8192 / text.length)).slice(0, 8192);
  const hostile = { type: long, title: long, message: long, culprit: long, firstRelease: long, lastRelease: long };
  const path = `group/${'p'.repeat(249)}`;
  const errors = Array.from({ length: 10 }, (_, index) =>
    namedError(
      {
        release: `${index}${long}`,
        environment: long,
        url: `${EXTERNAL_URL}/${path}/-/error_tracking/${index + 1}/details`,
      },
      { ...hostile, id: String(index + 1) },
    ),
  );
  return alertMessage({
    parts: [
      projectPart({
        project: { id: 3, path, name: path },
        release: long,
        errors,
        counts: { ...NO_COUNTS, new: 1_000_000 },
      }),
    ],
  });
}
