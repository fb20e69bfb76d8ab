import type { EventThread } from '../../../domain/events/event.ts';
import type { InAppRules } from '../in-app.ts';
import { normaliseFrames } from './frames.ts';
import { lenientText } from './bounds/lenient-text.ts';
import { MAX_THREADS, TEXT } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { valueList } from './bounds/value-list.ts';

export function normaliseThreads(raw: unknown, platform: string, rules: InAppRules, notes: Notes): EventThread[] {
  return bounded(valueList(raw), notes).map((thread, index) => {
    const place = `threads[${index}]`;
    const frames = normaliseFrames(thread.stacktrace, platform, rules, notes, `${place}.frames`);
    notes.at(place);
    const normalised = {
      id: lenientText(thread.id, TEXT.threadId, notes, 'id'),
      name: lenientText(thread.name, TEXT.threadName, notes, 'name'),
      crashed: thread.crashed === true,
      current: thread.current === true,
      frames,
    };
    notes.at();
    return normalised;
  });
}

/** Limits the number of threads. The crashed and the current one always stay. */
function bounded(list: Record<string, unknown>[], notes: Notes): Record<string, unknown>[] {
  if (list.length <= MAX_THREADS) {
    return list;
  }
  notes.add('threads', `${list.length - MAX_THREADS} threads omitted`);
  const important = list.filter((thread) => thread.crashed === true || thread.current === true).slice(0, MAX_THREADS);
  const kept = new Set(important);
  for (const thread of list) {
    if (kept.size === MAX_THREADS) {
      break;
    }
    kept.add(thread);
  }
  return list.filter((thread) => kept.has(thread));
}
