import type { IncomingHttpHeaders } from 'node:http';
import type { FakeToken, World } from './world.ts';

/** Trackers with an API for reading. */
export const PERSONALITY_NAMES = ['Sentry 21.4', 'Sentry 26', 'GlitchTip 5.2', 'Urgentry'] as const;
export type PersonalityName = (typeof PERSONALITY_NAMES)[number] | 'Bugsink';

export interface FakeRequest {
  readonly method: string;
  /** Absolute address, as the client requested it. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Known token of the request; undefined without one or for an unknown one. */
  readonly token: FakeToken | undefined;
}

export interface FakeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body: texts are sent unchanged (HTML by default), undefined as an empty body, other values as JSON. */
  readonly body: unknown;
}

/** State and callbacks of a personality. */
export interface TrackerContext {
  readonly world: World;
  readonly origin: string;
  /** Whether deprecated routes are in a brownout, as on sentry.io. */
  readonly brownout: boolean;
  /** Reports a request that the real tracker refuses or that must not be sent; the test then fails. */
  violate(text: string): void;
  /** Reports a refusal that a client may get once to learn the dialect; further ones are violations. */
  learn(what: string): void;
}

export interface Personality {
  readonly name: PersonalityName;
  makeId(serial: number): string;
  answer(request: FakeRequest, context: TrackerContext): FakeReply;
}

/** Thrown to end a request with this answer. */
export class Refusal extends Error {
  readonly reply: FakeReply;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`refused with ${status}`);
    this.reply = { status, body, headers };
  }
}
