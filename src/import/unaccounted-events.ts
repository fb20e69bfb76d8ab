import { counted } from '../lib/counted.ts';
import type { RunningStore } from './import-run.ts';

export type UnaccountedStore = Pick<
  RunningStore,
  'forward' | 'listForwardStates' | 'listImportSources' | 'unknownThere'
>;

/**
 * Counts live events in imported errors of a project that no rule accounts for: the tracker may have counted them too.
 * Null: events are forwarded, or the time is known until which the tracker gets all, or nothing was imported.
 */
export async function unaccountedEvents(store: UnaccountedStore, projectId: number): Promise<number | null> {
  const sources = (await store.listImportSources(projectId)).filter(({ kind }) => kind !== 'errgate');
  if (sources.length === 0 || sources.some(({ bothReceiveUntil }) => bothReceiveUntil !== null)) return null;
  if ((await store.forward(projectId)) !== null) return null;
  return (await store.listForwardStates(projectId)).length > 0 ? null : store.unknownThere(projectId);
}

/** Says how many events no rule accounts for, and when that matters. */
export const unaccountedFact = (count: number): string =>
  `${counted(count, 'live event')} came here without forwarding, to count twice if the old tracker gets the same`;

/** Says how many events no rule accounts for, and the cure. */
export function unaccountedText(count: number): string {
  return (
    `${unaccountedFact(count)}: ` +
    'then import with --both-receive and the time until which it does; nothing is to be done if applications send only here'
  );
}
