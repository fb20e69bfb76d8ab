import { SECURITY_REPORT_KINDS, type Frame, type NormalisedEvent } from '../domain/events/event.ts';
import { asSentIfGroupedSo, isGroupedAsSent } from '../domain/events/grouped-as-sent.ts';
import { keyDependsOnTrace } from '../domain/events/trace-transaction.ts';

/**
 * Converts a stored event to the form that SDKs send to `store/`. Sent to a project, it becomes an equal event under the
 * same grouping key, unless scrubbing changed a part of the key. What normalisation cut off is not restored.
 */
export function toSdkEvent(event: NormalisedEvent): Record<string, unknown> {
  // The key, which is that of the frames as they were sent, or of an event without transaction, must not change.
  if (isGroupedAsSent(event)) return toSdkEvent(asSentIfGroupedSo(event));
  if (keyDependsOnTrace(event)) return toSdkEvent({ ...event, transaction: null, notes: [] });
  const { exceptions, threads, breadcrumbs, message, logentry, tags, sdk, contexts, notes: _notes, ...rest } = event;
  const { security_report: report, debug_images: images, ...same } = rest;
  return {
    ...same,
    ...(message === null ? {} : { logentry: { formatted: message, ...logentry } }),
    ...(exceptions.length === 0
      ? {}
      : { exception: { values: exceptions.map(({ frames, raw: _, ...each }) => ({ ...each, ...stack(frames) })) } }),
    ...(threads.length === 0
      ? {}
      : { threads: { values: threads.map(({ frames, ...each }) => ({ ...each, ...stack(frames) })) } }),
    ...(breadcrumbs.length === 0 ? {} : { breadcrumbs: { values: breadcrumbs } }),
    ...(images === undefined ? {} : { debug_meta: { images } }),
    tags: tags.map(({ key, value }) => [key, value]),
    // A receiver must not take the address of the sender of an export for that of a user.
    sdk: { ...sdk, settings: { infer_ip: 'never' } },
    ...(report === undefined ? { contexts } : withReport(contexts)),
  };
}

function stack(frames: readonly Frame[] | null) {
  // A mapped frame goes on at its original place, by which it is grouped.
  return frames === null
    ? {}
    : { stacktrace: { frames: frames.map(({ raw: _raw, unmapped: _unmapped, ...frame }) => frame) } };
}

/** Moves the content of a browser's report from the contexts to its own member. */
function withReport(contexts: NormalisedEvent['contexts']): Record<string, unknown> {
  const isReport = (name: string): boolean => SECURITY_REPORT_KINDS.some((kind) => kind === name);
  const entries = Object.entries(contexts);
  return {
    ...Object.fromEntries(entries.filter(([name]) => isReport(name))),
    contexts: Object.fromEntries(entries.filter(([name]) => !isReport(name))),
  };
}
