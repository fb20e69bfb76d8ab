import { AppError } from '../domain/app-error.ts';
import type { IngestGrant } from '../domain/ports/intake.ts';
import type { ForwardStore } from '../domain/ports/stores/forward-store.ts';
import type { ProjectStore } from '../domain/ports/stores/project-store.ts';
import type { TrackingStore } from '../domain/ports/stores/tracking-store.ts';

export type IngestKeyStore = Pick<ProjectStore, 'listAliases'> &
  Pick<TrackingStore, 'keyByPublicKey' | 'settings'> &
  Pick<ForwardStore, 'forward'>;

/** Messages for refused keys by reason, which is also the label in metrics. */
const REFUSALS = {
  not_offered:
    'Integrated error tracking is not offered by this server. Ask its administrator, or use another backend.',
  unknown_key: 'The client key is not known: it may have been deleted or rotated. Copy the DSN again.',
  other_project: 'The client key does not belong to the project in the address. Copy the whole DSN again.',
  inactive_key: 'The client key is disabled. Enable it, or create another one.',
  not_configured: 'Error tracking has never been set up in this project. Enable it in the project settings.',
  not_active: 'Error tracking is switched off in this project. Enable it in the project settings.',
  not_integrated:
    'This project uses an external tracker: use its DSN, or choose the integrated backend in the project settings.',
} as const;

type RefusalReason = keyof typeof REFUSALS;

interface KeyRefusal {
  readonly refusal: RefusalReason;
  /** Grant under which the refusal is counted; null: the key is unknown, or another project's. */
  readonly owner: IngestGrant | null;
}

/** Result of checking a key for a project: a grant or a refusal. */
export type KeyVerdict = IngestGrant | KeyRefusal;

export function refused(refusal: RefusalReason, owner: IngestGrant | null = null): KeyRefusal {
  return { refusal, owner };
}

export function isRefused(verdict: KeyVerdict): verdict is KeyRefusal {
  return 'refusal' in verdict;
}

/** Builds the error with the refusal for the sender. */
export function forbidden({ refusal, owner }: KeyRefusal): AppError {
  return new AppError('ingest_forbidden', REFUSALS[refusal], {
    details: { reason: refusal, ...(owner === null ? {} : { grant: owner }) },
  });
}

/** Reads the verdict from the store. `dsnId`: the id in the address. The key decides the project. */
export async function verdictOfStore(store: IngestKeyStore, publicKey: string, dsnId: string): Promise<KeyVerdict> {
  const key = await store.keyByPublicKey(publicKey);
  if (key === null) {
    return refused('unknown_key');
  }
  if (String(key.projectId) !== dsnId && !(await store.listAliases(key.projectId)).includes(dsnId)) {
    return refused('other_project');
  }
  const grant: IngestGrant = { projectId: key.projectId, keyId: key.id };
  if (!key.active) {
    return refused('inactive_key', grant);
  }
  const settings = await store.settings(key.projectId);
  if (settings === null) {
    return refused('not_configured', grant);
  }
  if (!settings.active) {
    return refused('not_active', grant);
  }
  if (!settings.integrated) {
    return refused('not_integrated', grant);
  }
  const forward = await store.forward(key.projectId);
  return forward === null ? grant : { ...grant, forwardUntil: forward.until ?? Infinity };
}
