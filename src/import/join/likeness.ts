import { hash } from 'node:crypto';
import type { NormalisedEvent } from '../../domain/event.ts';
import { culpritOf } from '../../integrated/digest/culprit.ts';
import { shownFrames } from '../../integrated/digest/shown-stack.ts';
import { typeOf } from '../../integrated/digest/title.ts';

/** Hex digits of a feature. */
const DIGITS = 24;

/**
 * Returns the feature by which two errors resemble each other: type, culprit, and file and function of the newest
 * frame of the application. Null when one of them is missing.
 */
export function likenessOf(event: NormalisedEvent): string | null {
  const type = typeOf(event);
  const culprit = culpritOf(event);
  const frame = shownFrames(event).findLast((one) => one.in_app);
  const place = frame?.module ?? frame?.filename ?? null;
  const name = frame?.function ?? null;
  if (type === null || culprit === null || place === null || name === null) return null;
  return hash('sha256', JSON.stringify([type, culprit, place, name]), 'hex').slice(0, DIGITS);
}
