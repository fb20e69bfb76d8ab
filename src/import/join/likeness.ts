import { hash } from 'node:crypto';
import type { NormalisedEvent } from '../../domain/events/event.ts';
import { culpritOf } from '../../integrated/digest/culprit.ts';
import { isMessageEvent, messageComponent } from '../../integrated/digest/group/v1/message.ts';
import { shownFrames } from '../../integrated/digest/shown-stack.ts';
import { typeOf } from '../../integrated/digest/title.ts';

/** Hex digits of a feature. */
const DIGITS = 24;

/** What two errors have in common that are joined by likeness. */
export type Likeness = 'place' | 'message';

/** Features of an event, any of which an imported error may have; empty when nothing is like it. */
export interface Features {
  readonly likeness: Likeness;
  readonly features: readonly string[];
}

const featureOf = (parts: readonly unknown[]): string => hash('sha256', JSON.stringify(parts), 'hex').slice(0, DIGITS);

/**
 * Returns the feature by which live events find an imported error: type, culprit, and file and function of the newest
 * frame of the application. A message without a stack has its parameterised text, level, platform and logger: trackers
 * drop the threads with which SDKs send its stack. Null for others.
 */
export function similarityKey(event: NormalisedEvent): string | null {
  if (!isMessageEvent(event)) return placeFeature(event);
  return hasFrames(event) ? null : messageFeature(event, event.logger);
}

/**
 * Returns the features to look for, of an event whose group key leads to no imported error. For a message they are its
 * own with its logger, and without: trackers drop it. One without a stack would have been found by its key.
 */
export function featuresOf(event: NormalisedEvent): Features {
  if (!isMessageEvent(event)) return { likeness: 'place', features: [placeFeature(event)].filter(isKnown) };
  const loggers = hasFrames(event) ? [...new Set([event.logger, null])] : [];
  return { likeness: 'message', features: loggers.map((logger) => messageFeature(event, logger)).filter(isKnown) };
}

const isKnown = (feature: string | null): feature is string => feature !== null;

const hasFrames = (event: NormalisedEvent): boolean =>
  [...event.exceptions, ...event.threads].some(({ frames }) => frames !== null && frames.length > 0);

function placeFeature(event: NormalisedEvent): string | null {
  const type = typeOf(event);
  const culprit = culpritOf(event);
  const frame = shownFrames(event).findLast((one) => one.in_app);
  const place = frame?.module ?? frame?.filename ?? null;
  const name = frame?.function ?? null;
  if (type === null || culprit === null || place === null || name === null) return null;
  return featureOf([type, culprit, place, name]);
}

function messageFeature(event: NormalisedEvent, logger: string | null): string | null {
  const message = messageComponent(event);
  return message === '' ? null : featureOf(['message', message, event.level, event.platform, logger]);
}
