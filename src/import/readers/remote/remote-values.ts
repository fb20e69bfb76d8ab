import { cutText } from '../../../lib/text/clean-text.ts';
import { filledText, timeOf } from '../../../thirdparty/map/values.ts';
import { oneLine } from '../../../thirdparty/http/answer.ts';

/** Earliest plausible time: trackers send 1970 for unknown ones. */
const EARLIEST = Date.UTC(2000, 0, 1);
/** Milliseconds that a tracker's times may lie behind its own clock's time. */
const CLOCK_SLACK_MS = 60_000;

/** Maximum characters by kind of text. */
export const MAX_NAME = 255;
export const MAX_TEXT = 10_000;
const MAX_LINE = 1000;

/** Text of several lines, truncated to 10,000 characters; null when blank. */
export function longText(value: unknown): string | null {
  const text = filledText(value);
  return text === null ? null : cutText(text, MAX_TEXT);
}

/** Text in one line; null when blank. */
export function lineText(value: unknown, max = MAX_LINE): string | null {
  const text = filledText(value);
  const line = text === null ? '' : oneLine(text, max);
  return line === '' ? null : line;
}

/**
 * A time in milliseconds: later than `latest` becomes `latest`; before the year 2000, or unreadable, is null. `value`:
 * ISO 8601.
 */
export function clampedTime(value: unknown, latest: number): number | null {
  const time = timeOf(value);
  if (time === null || time < EARLIEST) return null;
  return time > latest + CLOCK_SLACK_MS ? latest : time;
}
