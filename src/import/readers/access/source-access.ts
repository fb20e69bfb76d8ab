import type { Clock } from '../../../domain/ports/clock.ts';
import type { TrackerReply } from '../../../thirdparty/http/answer.ts';
import { refused, type Attempt } from '../../../thirdparty/http/refused.ts';
import type { PoorPart } from '../../tracker-reader.ts';
import type { PatientAsker } from './patient-asker.ts';

/** Access to one organization of a tracker, shared by all parts of a reader. */
export interface SourceAccess {
  readonly asker: PatientAsker;
  /** Scheme, host, port and sub-path; no trailing slash. */
  readonly baseUrl: string;
  /** Slug; empty for trackers without organizations. */
  readonly organization: string;
  readonly clock: Clock;
  /** Sentences about what cannot be read; grows while reading. */
  readonly cannot: Sentences;
  /** Sentences about what was read in a poorer form for want of a scope; grows while reading. */
  readonly lacks: Readonly<Record<PoorPart, Sentences>>;
}

/** Sentences of one report. Further ones are counted. */
const MAX_SENTENCES = 200;

/** Different sentences in their order, at most 200: answers of a tracker must not fill the memory. */
export class Sentences {
  readonly #sentences = new Set<string>();
  #more = 0;

  add(sentence: string): void {
    if (this.#sentences.has(sentence)) return;
    if (this.#sentences.size < MAX_SENTENCES) this.#sentences.add(sentence);
    else this.#more += 1;
  }

  get list(): string[] {
    return [...this.#sentences, ...(this.#more === 0 ? [] : [`and ${this.#more} more of such things`])];
  }
}

/** Milliseconds that a tracker's clock may differ from ours; beyond it our clock counts. */
const MAX_CLOCK_DIFFERENCE_MS = 86_400_000;

/** Error for a refusal, with the scope that the token needs. */
export function refusal(access: SourceAccess, reply: TrackerReply, attempt: Attempt): Error {
  return refused(reply, new URL(access.baseUrl).host, attempt);
}

/** Time of an answer by the tracker's clock; ours when it sends none, or one that is off by more than a day. */
export function timeOfReply({ clock }: SourceAccess, { date }: TrackerReply): number {
  const now = clock.now();
  return date === undefined || Math.abs(date - now) > MAX_CLOCK_DIFFERENCE_MS ? now : date;
}

/**
 * Handles the refusal of a part without which an import goes on. One that this version does not have is noted once;
 * other refusals are thrown.
 */
export function doWithout(access: SourceAccess, reply: TrackerReply, what: string, scope: string): void {
  if (reply.status === 404 || reply.status === 405 || reply.status === 410) {
    access.cannot.add(`${what}: this version of the tracker has no such list`);
  } else {
    throw refusal(access, reply, { doing: `list ${what}`, scope });
  }
}
