import type { EventThread, NormalisedEvent } from '../../../../domain/events/event.ts';
import { stacktraceComponent } from './frames/stacktrace.ts';

/** Returns the component of the counting thread; empty when there is none or its stack has nothing usable. */
export function threadsComponent(event: NormalisedEvent): string {
  const thread = countingThread(event.threads);
  if (thread === null) return '';
  return (
    stacktraceComponent(thread.frames, event.platform, 'app') ||
    stacktraceComponent(thread.frames, event.platform, 'system')
  );
}

/** Returns the only crashed thread, else the only current one, else the only one. */
export function countingThread(threads: readonly EventThread[]): EventThread | null {
  return (
    single(threads.filter((thread) => thread.crashed)) ??
    single(threads.filter((thread) => thread.current)) ??
    single(threads)
  );
}

function single(threads: readonly EventThread[]): EventThread | null {
  return threads.length === 1 ? (threads[0] ?? null) : null;
}
