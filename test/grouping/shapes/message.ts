import type { RawEvent } from '../pair.ts';

/** A text that was sent without an exception. */
export function message(text: string, members: RawEvent = {}): RawEvent {
  return { platform: 'python', level: 'info', message: text, ...members };
}

/** A log line whose template and parameters are known. */
export function logged(
  template: string,
  params: readonly unknown[],
  formatted: string,
  members: RawEvent = {},
): RawEvent {
  return {
    platform: 'python',
    level: 'error',
    logger: 'shop.log',
    logentry: { message: template, params, formatted },
    ...members,
  };
}
