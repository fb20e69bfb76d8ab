import type { NormalisedEvent, SecurityReport } from '../../../../domain/events/event.ts';
import { part, TAGS } from './component.ts';
import { exceptionsComponent, type ValueRule } from './exceptions.ts';
import { isMessageEvent, messageComponent } from './message.ts';
import { threadsComponent } from './threads.ts';

/** Component of events without any usable content: they share one group per project. */
const FALLBACK = 'fallback\0';

/**
 * Returns the default grouping of an event, which a fingerprint may replace or include. It comes from the exceptions,
 * else from a thread and the message. For a security report without exceptions it holds kind, directive and host,
 * because the message only quotes text. `valueRule`: see `ValueRule`; version 1 has none.
 */
export function defaultComponent(event: NormalisedEvent, valueRule?: ValueRule): string {
  if (event.security_report !== undefined && event.exceptions.length === 0) {
    return reportComponent(event.security_report);
  }
  if (!isMessageEvent(event)) {
    const exceptions = exceptionsComponent(event, valueRule);
    if (exceptions !== '') return exceptions;
  }
  // The stack shows only where a message was logged, and one place may log different messages.
  return threadsComponent(event) + messageComponent(event) || FALLBACK;
}

function reportComponent({ kind, directive, host }: SecurityReport): string {
  return part(TAGS.report, kind) + part(TAGS.type, directive ?? '') + part(TAGS.value, host);
}
