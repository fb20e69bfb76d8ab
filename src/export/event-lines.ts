import type { NormalisedEvent } from '../domain/events/event.ts';
import type { ExportedEvent } from '../domain/ports/export-source.ts';
import { GROUPED_AS_SENT } from '../domain/events/grouped-as-sent.ts';
import { TRANSACTION_OF_TRACE } from '../domain/events/trace-transaction.ts';
import { GrowingBytes } from '../lib/growing-bytes.ts';
import { KnownKeys, type KeysOf } from './known-keys.ts';
import { toSdkEvent } from './sdk-event.ts';
import { writeSdkEvent } from './sdk-event-bytes.ts';

/** Makes the lines of stored events, and learns the grouping keys of their group hashes from them. */
export class EventLines {
  readonly #keys: KnownKeys;
  readonly #bytes = new GrowingBytes();

  constructor(keysOf: KeysOf) {
    this.#keys = new KnownKeys(keysOf);
  }

  /** Returns the grouping key of a group hash; null: no event has shown it. */
  keyOf(groupHash: string): string | null {
    return this.#keys.of(groupHash);
  }

  /** Returns a line without its end, which holds until the next one; null: the event's bytes are damaged. */
  lineOf(stored: ExportedEvent): Uint8Array | null {
    const { json } = stored;
    if (json === null) return null;
    // Parsed at most once, and only where it must be.
    let parsed: NormalisedEvent | null | undefined;
    const event = (): NormalisedEvent | null => (parsed === undefined ? (parsed = parse(json)) : parsed);
    const own = Buffer.from(`"_errgate":${this.#ownOf(stored, event)}`, 'utf8');
    this.#bytes.clear();
    // In such events `toSdkEvent` changes further members; it looks at more than these bytes.
    const isOfTrace = json.includes(TRANSACTION_OF_TRACE) && json.includes('{{');
    if (!isOfTrace && !json.includes(GROUPED_AS_SENT) && writeSdkEvent(json, own, this.#bytes))
      return this.#bytes.view();
    const found = event();
    return found === null ? null : Buffer.from(`${JSON.stringify(toSdkEvent(found)).slice(0, -1)},${String(own)}}`);
  }

  #ownOf(stored: ExportedEvent, event: () => NormalisedEvent | null): string {
    const { projectId, errorId, receivedAt, imported, groupHash } = stored;
    return JSON.stringify({
      project_id: projectId,
      error_id: errorId,
      group_key: this.#keys.note(stored, event),
      group_hash: groupHash.groupingVersion === 0 ? null : groupHash.groupHash,
      received: new Date(receivedAt).toISOString(),
      imported,
    });
  }
}

function parse(json: Buffer): NormalisedEvent | null {
  try {
    return JSON.parse(json.toString('utf8')) as NormalisedEvent;
  } catch {
    return null;
  }
}
