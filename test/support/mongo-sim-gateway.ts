import { AppError } from '../../src/domain/app-error.ts';
import type { BatchStore } from '../../src/domain/ports/stores/batch-store.ts';
import type { JournalFiles } from '../../src/domain/ports/journal-files.ts';
import type { SimOptions } from './mongo-sim.ts';
import { digestBatch, type SimRecord } from './mongo-sim-records.ts';
import { hexId } from './store-data.ts';

/** Disk of a gateway; a copy of it starts another gateway. */
export interface SimDisk {
  journalId: string;
  n: number;
  /** Records [from, to) of batch `n`; equal positions mean no open batch. */
  from: number;
  to: number;
  /** Positions of quarantined records. */
  excluded: number[];
  /** Recorded hash of the batch; it does not change when the batch is split. */
  hash: string;
  records: SimRecord[];
  plans: Map<string, Uint8Array>;
  /** Position from which the open batch is unreadable; null when all of it is readable. */
  tornAt: number | null;
  /** Lost records that the store has already. Clients send them again, and those without an id count again. */
  sentTwice: SimRecord[];
}

export function newDisk(journalId: string, records: SimRecord[]): SimDisk {
  return {
    journalId,
    n: 0,
    from: 0,
    to: 0,
    excluded: [],
    hash: '',
    records,
    plans: new Map(),
    tornAt: null,
    sentTwice: [],
  };
}

export function copyDisk(disk: SimDisk): SimDisk {
  return {
    ...disk,
    excluded: [...disk.excluded],
    records: [...disk.records],
    plans: new Map(disk.plans),
    sentTwice: [],
  };
}

export interface GatewayOptions {
  readonly disk: SimDisk;
  readonly store: BatchStore;
  /** Program version; 0 is that of the records. */
  readonly version: number;
  /** Whether events have bodies in blocks. */
  readonly blocks: boolean;
  readonly random: () => number;
  /** Makes a new journal id. */
  readonly newId: () => string;
  readonly turn: () => Promise<void>;
  readonly alive: () => boolean;
  /** Whether the disk lost records during the downtime. */
  readonly tears?: () => boolean;
}

const REFUSALS = 3;

/** Digests the journal like the service's loop: repeats each recorded batch until it is confirmed. */
export async function runGateway(options: GatewayOptions): Promise<void> {
  const { disk, store, version, random } = options;
  let recovered = false;
  let refusals = 0;
  while (options.alive()) {
    try {
      if (!recovered) {
        if (disk.from < disk.to && disk.tornAt === null && options.tears?.() === true) {
          disk.tornAt = disk.from + Math.floor(random() * (disk.to - disk.from));
        }
        const last = await store.lastBatch(disk.journalId);
        if (last !== disk.n && !(disk.from < disk.to && last === disk.n - 1)) {
          renew(options);
        }
        recovered = true;
      }
      if (disk.from === disk.to) {
        if (disk.from === disk.records.length) {
          return;
        }
        disk.n += 1;
        disk.to = Math.min(disk.from + 1 + Math.floor(random() * (options.blocks ? 8 : 4)), disk.records.length);
        disk.hash = hexId(JSON.stringify([disk.journalId, disk.n, disk.records.slice(disk.from, disk.to)]));
      }
      if (disk.tornAt !== null && disk.from < disk.to) {
        await recoverTorn(options, disk.tornAt);
        continue;
      }
      const members = disk.records.slice(disk.from, disk.to).filter((_, at) => !disk.excluded.includes(disk.from + at));
      const batchId = { journalId: disk.journalId, n: disk.n, hash: disk.hash };
      const result = await store.applyBatch(batchId, digestBatch(members, version, options.blocks));
      refusals = 0;
      if (result.kind === 'foreign') {
        renew(options);
      } else {
        disk.from = disk.to;
      }
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') {
        await options.turn();
        continue;
      }
      const live = Array.from({ length: disk.to - disk.from }, (_, at) => disk.from + at).filter(
        (at) => !disk.excluded.includes(at),
      );
      refusals += 1;
      if (live.length > 1) {
        disk.to = live[Math.ceil(live.length / 2)]!;
        refusals = 0;
      } else if (refusals >= REFUSALS) {
        disk.excluded.push(live[0]!);
      }
      await options.turn();
    }
  }
}

/** Handles an unreadable batch like `recoverUnreadable` of the loop. Clients send the lost records again. */
async function recoverTorn(options: GatewayOptions, tornAt: number): Promise<void> {
  const { disk, store } = options;
  const { journalId, n, hash } = disk;
  const completed = await store.completeBatch({ journalId, n, hash });
  if (completed !== null && completed.kind !== 'foreign') {
    const lost = disk.records.slice(tornAt, disk.to);
    disk.sentTwice.push(...lost);
    disk.records.push(...lost);
    disk.tornAt = null;
    disk.from = disk.to;
    return;
  }
  if (completed !== null || tornAt === disk.from) {
    renew(options);
    return;
  }
  loseTorn(disk);
}

/** Moves unreadable records to the end of the journal, because clients send them again. */
function loseTorn(disk: SimDisk): void {
  if (disk.tornAt !== null) {
    const { tornAt } = disk;
    disk.records.push(...disk.records.splice(tornAt, disk.to - tornAt));
    disk.excluded = disk.excluded.filter((at) => at < tornAt);
    disk.to = tornAt;
    disk.tornAt = null;
  }
}

function renew({ disk, newId }: GatewayOptions): void {
  loseTorn(disk);
  disk.journalId = newId();
  disk.n = 0;
  disk.to = disk.from;
}

/** Plan files whose `replace` is atomic and durable; a crash may occur before or after it. */
export function simPlanFiles(
  disk: SimDisk,
  { turn, drawResult }: Pick<SimOptions, 'turn' | 'drawResult'>,
  crashed: () => void,
): Pick<JournalFiles, 'makeDir' | 'readAll' | 'replace' | 'remove'> {
  const step = async (change: () => void) => {
    await turn();
    const drawn = drawResult(true, 1);
    if (drawn !== 'crash_before') {
      change();
    }
    if (drawn === 'crash_before' || drawn === 'crash_after') {
      crashed();
      await new Promise(() => undefined);
    }
  };
  return {
    makeDir: async () => undefined,
    readAll: async (path) => {
      const content = disk.plans.get(path);
      return content === undefined ? null : Buffer.from(content);
    },
    replace: (path, content) => step(() => disk.plans.set(path, content)),
    remove: (path) => step(() => disk.plans.delete(path)),
  };
}
