import type { NormalisedEvent } from '../domain/events/event.ts';
import type { ExportedEvent } from '../domain/ports/export-source.ts';

/** Computes an event's grouping keys, each with the group hash that it has in a project. */
export type KeysOf = (projectId: number, event: NormalisedEvent) => readonly { key: string; groupHash: string }[];

/** Events of one group hash whose key is computed before it counts as unknown. */
const MAX_TRIES = 3;

/**
 * Grouping keys of group hashes, found by computing them from events. The key of an event that was scrubbed after
 * grouping differs from the one it was counted under; it is recognised by its hash and not told. One entry per error.
 */
export class KnownKeys {
  readonly #keysOf: KeysOf;
  readonly #found = new Map<string, string>();
  readonly #tries = new Map<string, number>();

  constructor(keysOf: KeysOf) {
    this.#keysOf = keysOf;
  }

  /** Null: no event has shown it. */
  of(groupHash: string): string | null {
    return this.#found.get(groupHash) ?? null;
  }

  /**
   * Returns the key under which an event was counted; null when it is not known. An event of an alias, counted in an
   * imported error, shows the key of its own group hash. `read` returns the event, null when it is damaged; it is called
   * only when the key has to be computed.
   */
  note(stored: ExportedEvent, read: () => NormalisedEvent | null): string | null {
    const { projectId, groupHash: { groupHash, groupingVersion } } = stored; // prettier-ignore
    const known = this.#found.get(groupHash);
    if (known !== undefined) return known;
    const tries = this.#tries.get(groupHash) ?? 0;
    // Imported errors have events of several keys.
    const counted = groupingVersion !== 0;
    if (counted && tries >= MAX_TRIES) return null;
    const event = read();
    if (event === null) return null;
    const keys = this.#keysOf(projectId, event);
    if (!counted) {
      for (const each of keys) this.#found.set(each.groupHash, each.key);
      return keys[0]?.key ?? null;
    }
    const own = keys.find((each) => each.groupHash === groupHash);
    if (own === undefined) this.#tries.set(groupHash, tries + 1);
    else {
      this.#found.set(groupHash, own.key);
      this.#tries.delete(groupHash);
    }
    return own?.key ?? null;
  }
}
