import type { NormalisedEvent, SecurityReport } from '../../../../domain/event.ts';
import { part, TAGS } from './component.ts';
import { exceptionsComponent } from './exceptions.ts';
import { isMessageEvent, messageComponent } from './message.ts';
import { threadsComponent } from './threads.ts';

/** Of events that say nothing at all: they share one group per project. */
const FALLBACK = 'fallback\0';

/**
 * What groups an event unless its fingerprint says otherwise: exceptions, else a thread, else the message. Of a
 * security report without exceptions what was broken and where, for its message holds only quoted text.
 */
export function defaultComponent(event: NormalisedEvent): string {
  if (event.security_report !== undefined && event.exceptions.length === 0) {
    return reportComponent(event.security_report);
  }
  if (!isMessageEvent(event)) {
    const exceptions = exceptionsComponent(event);
    if (exceptions !== '') return exceptions;
  }
  // The stack says where a message was logged, not what was said: one place may log different things.
  return threadsComponent(event) + messageComponent(event) || FALLBACK;
}

function reportComponent({ kind, directive, host }: SecurityReport): string {
  return part(TAGS.report, kind) + part(TAGS.type, directive ?? '') + part(TAGS.value, host);
}
