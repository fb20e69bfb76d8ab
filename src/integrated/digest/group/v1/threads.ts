import type { EventThread, NormalisedEvent } from '../../../../domain/event.ts';
import { stacktraceComponent } from './stacktrace.ts';

/** The component of the thread that counts; empty when no thread does or its stack says nothing. */
export function threadsComponent(event: NormalisedEvent): string {
  const thread = countingThread(event.threads);
  if (thread === null) return '';
  return (
    stacktraceComponent(thread.frames, event.platform, 'app') ||
    stacktraceComponent(thread.frames, event.platform, 'system')
  );
}

/** Exactly one crashed thread, else exactly one current, else the only one. */
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
