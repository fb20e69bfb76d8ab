import { LRUCache } from 'lru-cache';
import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { IngestGrant } from '../domain/ports/intake.ts';
import type { ProjectStore } from '../domain/ports/project-store.ts';
import type { TrackingStore } from '../domain/ports/tracking-store.ts';
import { PerSecondBudget } from '../lib/per-second-budget.ts';
import { within } from '../lib/within.ts';
import type { KeySnapshotKeeper } from './key-snapshot-keeper.ts';

export type IngestKeyStore = Pick<ProjectStore, 'projectForIngest'> &
  Pick<TrackingStore, 'keyByPublicKey' | 'settings'>;

export interface IngestKeysDeps {
  readonly store: IngestKeyStore;
  /** Answers for known keys, with the store or without it. */
  readonly keeper: KeySnapshotKeeper;
  /** Whether the integrated backend is offered at all. */
  readonly integratedEnabled: boolean;
  readonly clock: Clock;
  /** Told about every request that is let in. */
  readonly uses?: { note(keyId: number): void };
  /** How long the store's answer about a key that is not in the snapshot is believed, milliseconds; default 1000. */
  readonly ttlMs?: number;
  /** Such answers that are remembered; default 10 000. Beyond, the least recently used go. */
  readonly maxEntries?: number;
  /** Keys that the store is asked about one by one, per second; default 200. Beyond, all share one question. */
  readonly lookUpsPerSecond?: number;
  /** How long a request waits for the store at most, milliseconds; default 2000. */
  readonly patienceMs?: number;
}

export interface IngestKeys {
  /**
   * Whether the key may send to the project in the address, its own id or an alias. Keys of the snapshot are
   * let in whether the store answers or not; only a store that answers refuses a key.
   *
   * Throws `ingest_forbidden` with what to do, `ingest_unavailable` for keys that cannot be checked now.
   */
  check(publicKey: string, projectIdFromPath: number): Promise<IngestGrant>;
}

/** Why a key is refused; also the reason's label in metrics. */
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

type Refusal = keyof typeof REFUSALS;

interface Refused {
  readonly refusal: Refusal;
  /** Whose key it is, where the request can be counted for its project; null: nobody's, or another project's. */
  readonly owner: IngestGrant | null;
}
type Verdict = IngestGrant | Refused;

interface Entry {
  readonly verdict: Verdict;
  readonly checkedAt: number;
}

/** A flood of made-up keys must not become a flood of questions to the store. */
const LOOK_UPS_PER_SECOND = 200;

/** Seconds after which an SDK may try again while keys cannot be checked. */
const RETRY_SECONDS = 10;

export function createIngestKeys(deps: IngestKeysDeps): IngestKeys {
  const { store, keeper, clock, ttlMs = 1000, maxEntries = 10_000, patienceMs = 2000 } = deps;
  /** Spares the store the many requests of one wrong key, and of a key too new for the snapshot. */
  const answers = new LRUCache<string, Entry>({ max: maxEntries });
  const pending = new Map<string, Promise<Verdict>>();

  const budget = new PerSecondBudget(deps.lookUpsPerSecond ?? LOOK_UPS_PER_SECOND);

  const askStore = async (publicKey: string, projectId: number): Promise<Verdict> => {
    const key = await store.keyByPublicKey(publicKey);
    if (key === null) {
      return refused('unknown_key');
    }
    // An alias is never a project's own id, so equality needs no further look.
    if (key.projectId !== projectId && (await store.projectForIngest(projectId))?.id !== key.projectId) {
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
    return settings.integrated ? grant : refused('not_integrated', grant);
  };

  /** Many unknown keys at once share one question: who may send at all. Nobody is refused by an old answer. */
  const askForAll = async (publicKey: string, projectId: number): Promise<Verdict> => {
    await keeper.refreshFromNow();
    if (keeper.storeAway) {
      throw unavailable(new Error('the store does not answer'));
    }
    return keeper.snapshot.find(publicKey, projectId) ?? refused('unknown_key');
  };

  const ask = async (cacheKey: string, publicKey: string, projectId: number): Promise<Verdict> => {
    try {
      const verdict = await askStore(publicKey, projectId);
      keeper.storeAnswered();
      answers.set(cacheKey, { verdict, checkedAt: clock.now() });
      if (!isRefused(verdict)) {
        void keeper.refresh(true);
      }
      return verdict;
    } catch (cause) {
      keeper.storeFailed(cause);
      throw unavailable(cause);
    } finally {
      pending.delete(cacheKey);
    }
  };

  /** Let in by the store since the snapshot was asked for: holds like the snapshot, while nobody can be asked. Else throws the trouble. */
  const stillGranted = (known: Entry | undefined, trouble: unknown): Verdict => {
    if (known !== undefined && !isRefused(known.verdict) && known.checkedAt >= keeper.snapshotAt) {
      return known.verdict;
    }
    throw trouble;
  };

  const verdictOn = (publicKey: string, projectId: number): Verdict | Promise<Verdict> => {
    const cacheKey = `${projectId}:${publicKey}`;
    const known = answers.get(cacheKey);
    // A refusal is never remembered beyond the store's absence, and a store that is away is not asked.
    if (keeper.storeAway) {
      return stillGranted(known, unavailable(new Error('the store does not answer')));
    }
    if (known !== undefined && clock.now() - known.checkedAt < ttlMs) {
      return known.verdict;
    }
    let answer = pending.get(cacheKey);
    if (answer === undefined && !budget.take(clock.now())) {
      // Keys that may send are in the snapshot, so what is known of another one only grows old in its reason.
      return known?.verdict ?? inTime(askForAll(publicKey, projectId), patienceMs);
    }
    if (answer === undefined) {
      answer = ask(cacheKey, publicKey, projectId);
      pending.set(cacheKey, answer);
    }
    return inTime(answer, patienceMs).catch((trouble: unknown) => stillGranted(known, trouble));
  };

  return {
    async check(publicKey, projectId) {
      if (!deps.integratedEnabled) {
        throw forbidden({ refusal: 'not_offered', owner: null });
      }
      const verdict = keeper.snapshot.find(publicKey, projectId) ?? (await verdictOn(publicKey, projectId));
      if (isRefused(verdict)) {
        throw forbidden(verdict);
      }
      deps.uses?.note(verdict.keyId);
      return verdict;
    },
  };
}

/** The answer; throws `ingest_unavailable` when it takes longer than `ms`. */
function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  return within(
    ms,
    () => answer,
    () => {
      throw unavailable(new Error('the store takes too long to answer'));
    },
  );
}

function refused(refusal: Refusal, owner: IngestGrant | null = null): Refused {
  return { refusal, owner };
}

function isRefused(verdict: Verdict): verdict is Refused {
  return 'refusal' in verdict;
}

function forbidden({ refusal, owner }: Refused): AppError {
  return new AppError('ingest_forbidden', REFUSALS[refusal], {
    details: { reason: refusal, ...(owner === null ? {} : { grant: owner }) },
  });
}

function unavailable(cause: unknown): AppError {
  return new AppError('ingest_unavailable', 'The client key cannot be checked at the moment. Send it again later.', {
    cause,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
