import { FACT_KINDS } from '../../domain/alerts/alert-fact.ts';
import {
  type AlertMessage,
  type NamedError,
  type ProjectPart,
  totalCounts,
} from '../../domain/alerts/alert-message.ts';
import { textsOf, type ErrorTexts } from '../../domain/errors/error-texts.ts';
import type { TrackedError } from '../../domain/errors/tracked-error.ts';
import { dataText, MAX_DETAIL, MAX_MESSAGE, MAX_NOTE, MAX_TITLE } from '../event-text.ts';
import { jsonBytes } from './fit.ts';

/** Standard Webhooks asks for less than 20 KB. */
const MAX_BYTES = 20_000;
/** Names in a former tracker that are kept of one error. */
const MAX_EXTERNAL_IDS = 5;

/** Returns an error as the list of the REST API has it. */
export type PresentError = (error: TrackedError, project: ProjectPart['project']) => object;

const short = (text: string | null, max: number): string | null => (text === null ? null : dataText(text, max));

/** Maximum characters of the texts that are longer than MAX_DETAIL. */
const LONG_TEXTS: Partial<Record<keyof ErrorTexts, number>> = { title: MAX_TITLE, message: MAX_MESSAGE };

/** Shortens the text of events to the size of messages. */
function shortened(error: TrackedError): TrackedError {
  const { level, ...texts } = textsOf(error);
  const names = Object.keys(texts) as (keyof typeof texts)[];
  const shown = names.map((name) => [name, short(texts[name], LONG_TEXTS[name] ?? MAX_DETAIL)] as const);
  return {
    ...error,
    ...(Object.fromEntries(shown) as typeof texts),
    level,
    firstRelease: short(error.firstRelease, MAX_DETAIL),
    lastRelease: short(error.lastRelease, MAX_DETAIL),
    externalIds: error.externalIds.slice(0, MAX_EXTERNAL_IDS),
  };
}

function typeOf({ kind, parts }: AlertMessage): string {
  if (kind !== 'facts') return `alert.${kind}`;
  const counts = totalCounts(parts);
  const present = FACT_KINDS.filter((fact) => counts[fact] > 0);
  const [only] = present;
  return present.length === 1 && only !== undefined && counts[only] === 1 ? `error.${only}` : 'errors.summary';
}

function bodyWith(
  message: AlertMessage,
  present: (named: NamedError, part: ProjectPart) => object,
  errors: number,
): object {
  const [part] = message.parts;
  return {
    type: typeOf(message),
    timestamp: new Date(message.createdAt).toISOString(),
    data: {
      project: part === undefined ? null : { id: part.project.id, path: part.project.path },
      counts: totalCounts(message.parts),
      errors: part?.errors.slice(0, errors).map((named) => present(named, part)) ?? [],
      url: part?.url ?? null,
      since: new Date(message.since).toISOString(),
      until: new Date(message.until).toISOString(),
      release: short(part?.release ?? null, MAX_DETAIL),
      message: message.note === '' ? null : dataText(message.note, MAX_NOTE),
    },
  };
}

/**
 * Body of Standard Webhooks, equal for all attempts, at most MAX_BYTES: beyond it the least important errors are left
 * out. Texts of events are shortened, and unseen characters spelled out.
 */
export function webhookBody(message: AlertMessage, presentError: PresentError): object {
  const present = (named: NamedError, { project }: ProjectPart): object => ({
    ...presentError(shortened(named.error), project),
    fact: named.fact,
    release: short(named.release, MAX_DETAIL),
    environment: short(named.environment, MAX_DETAIL),
  });
  let errors = message.parts[0]?.errors.length ?? 0;
  let body = bodyWith(message, present, errors);
  while (errors > 0 && jsonBytes(body) >= MAX_BYTES) {
    errors -= 1;
    body = bodyWith(message, present, errors);
  }
  return body;
}
