import type { DigestedEvent, EventBlock } from '../../domain/ingest/digest.ts';
import { BlockReader, ownBody } from './event-body.ts';
import { searchTermsOf, termsFrom, type SearchTerms } from '../search/search-terms.ts';

/** Reads bodies of events of a batch, and inflates each block once. Lives for the batch only. */
export class BatchBodies {
  readonly #blocks: readonly EventBlock[];
  readonly #reader = new BlockReader<number>();

  constructor(blocks: readonly EventBlock[] = []) {
    this.#blocks = blocks;
  }

  /** Returns the terms of an event; null when its body is damaged, because no body may hold up a batch. */
  termsOf({ eventId, payload, terms }: Pick<DigestedEvent, 'eventId' | 'payload' | 'terms'>): SearchTerms | null {
    if (terms !== undefined) return termsFrom(terms);
    try {
      if (typeof payload !== 'number') return searchTermsOf(ownBody(payload).event);
      if (!this.#reader.has(payload)) {
        this.#reader.add(payload, this.#blocks[payload]?.bodies ?? new Uint8Array());
      }
      const body = this.#reader.read(payload, eventId);
      return body === null ? null : searchTermsOf(body.event);
    } catch {
      return null;
    }
  }
}
