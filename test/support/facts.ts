import type { AlertFact } from '../../src/domain/alerts/alert-fact.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';

const LEASE = { name: 'alerts', owner: 'test', ttlMs: 60_000 };

/** Moves all facts that batches left into the log, as the gateway with the lease does. */
export async function collectAll(store: Store): Promise<void> {
  if (!(await store.acquireLease(LEASE.name, LEASE.owner, LEASE.ttlMs))) throw new Error('another owner has the lease');
  while ((await store.collectFacts()) > 0);
}

/** Returns the facts of a project in the order of the log. */
export async function factsOf(store: Store, projectId: number): Promise<AlertFact[]> {
  await collectAll(store);
  const found: AlertFact[] = [];
  for (let after = 0; ;) {
    const page = await store.listFacts(after, 1000);
    found.push(...page.filter((fact) => fact.projectId === projectId));
    const last = page.at(-1);
    if (last === undefined) return found;
    after = last.seq;
  }
}
