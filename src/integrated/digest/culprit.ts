import type { Frame, NormalisedEvent } from '../../domain/event.ts';
import { cutText } from '../../lib/clean-text.ts';
import { newestFrame, shownFrames } from './shown-stack.ts';

const MAX_CULPRIT = 200;
const NATIVE = new Set(['native', 'objc', 'cocoa']);
const JAVASCRIPT = new Set(['javascript', 'node']);

/** Where it happened, in one line: the transaction, else the newest application frame, else the rule of a security policy, else the request's address. */
export function culpritOf(event: NormalisedEvent): string | null {
  const culprit = event.transaction ?? frameCulprit(event) ?? event.security_report?.rule ?? event.request?.url ?? null;
  return culprit === null ? null : cutText(culprit, MAX_CULPRIT);
}

function frameCulprit(event: NormalisedEvent): string | null {
  const platform = (frame: Frame): string => frame.platform ?? event.platform;
  const tellsWhere = (frame: Frame): boolean =>
    NATIVE.has(platform(frame)) ? frame.function !== null : (frame.module ?? frame.filename) !== null;
  const frame = newestFrame(shownFrames(event), tellsWhere);
  if (frame === null) {
    return null;
  }
  // The newest frames of a message's stack are the SDK's own; only application code tells something there.
  if (event.exceptions.length === 0 && !frame.in_app) {
    return null;
  }
  const name = frame.function ?? '?';
  if (NATIVE.has(platform(frame))) {
    return name;
  }
  const place = frame.module ?? frame.filename ?? '?';
  return JAVASCRIPT.has(platform(frame)) ? `${name}(${place})` : `${place} in ${name}`;
}
