import { LRUCache } from 'lru-cache';
import type { DigestedEvent } from '../../../domain/ingest/digest.ts';
import { hashOfName } from '../../../lib/user-hash.ts';
import { userNameKey } from '../documents/document-keys.ts';
import { duplicatesIn } from './answers.ts';
import { byId, type BatchCollections, type UpdateOne } from '../engine/batch-collections.ts';
import { hex } from './marked-rows.ts';
import { grownTo } from '../../../lib/grown-to.ts';
import { MAX_KNOWN_USER_NAMES, USER_NAME_DAY_STEP } from '../../limits.ts';
import { DAY_MS } from '../../../domain/durations.ts';

/** Writes names of users, those of a user once a week. Writing them again changes nothing. */
export class UserNames {
  readonly #known = new LRUCache<string, number>(grownTo(MAX_KNOWN_USER_NAMES));
  readonly #collections: Pick<BatchCollections, 'userNames' | 'meta'>;
  #salt: string | null = null;

  constructor(collections: Pick<BatchCollections, 'userNames' | 'meta'>) {
    this.#collections = collections;
  }

  /** Adds the names of the users of events that a batch counts. */
  async add(events: readonly DigestedEvent[]): Promise<void> {
    const fresh = new Map<string, { readonly event: DigestedEvent; readonly day: number }>();
    for (const event of events) {
      const { projectId, userHash, userNames, receivedAt } = event;
      if (userHash === null || userNames === undefined) continue;
      const name = `${projectId} ${userHash} ${userNames.join(' ')}`;
      const day = Math.floor(receivedAt / DAY_MS);
      if (day > (this.#known.get(name) ?? -Infinity) + USER_NAME_DAY_STEP) fresh.set(name, { event, day });
    }
    const salt = fresh.size === 0 ? null : await this.#readSalt();
    if (salt === null) return;
    const operations = new Map<string, UpdateOne & { readonly _id: ReturnType<typeof userNameKey> }>();
    for (const { event, day } of fresh.values()) {
      const { projectId: p, userHash, userNames = [] } = event;
      for (const name of userNames) {
        const _id = userNameKey(p, hashOfName(salt, p, name), userHash ?? '');
        operations.set(hex(_id), { _id, filter: { _id, p }, update: { $max: { d: day } }, upsert: true });
      }
    }
    const sorted = [...operations.values()].sort((a, b) => byId(a._id, b._id));
    const bulk = sorted.map(({ filter, update, upsert }) => ({ filter, update, upsert }));
    duplicatesIn(await this.#collections.userNames.updateEach(bulk, 'user_names.put'));
    for (const [name, { day }] of fresh) this.#known.set(name, day);
  }

  /** Forgets what is stored: a failover may have taken it back. */
  clear(): void {
    this.#known.clear();
  }

  async #readSalt(): Promise<string | null> {
    if (this.#salt !== null) return this.#salt;
    const [row] = await this.#collections.meta.find({ _id: 'user_salt' }, { value: 1 }, 'majority', 'meta.get');
    this.#salt = typeof row?.value === 'string' ? row.value : null;
    return this.#salt;
  }
}
