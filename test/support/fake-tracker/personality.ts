import type { IncomingHttpHeaders } from 'node:http';
import type { FakeToken, World } from './world.ts';

/** Trackers that can be read. */
export const PERSONALITY_NAMES = ['Sentry 21.4', 'Sentry 26', 'GlitchTip 5.2', 'Urgentry'] as const;
export type PersonalityName = (typeof PERSONALITY_NAMES)[number] | 'Bugsink';

export interface FakeRequest {
  readonly method: string;
  /** Absolute, as the client addressed it. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The known token that was sent; undefined without one or with an unknown one. */
  readonly token: FakeToken | undefined;
}

export interface FakeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes as it is (HTML unless said otherwise), undefined as an empty body, anything else as JSON. */
  readonly body: unknown;
}

/** What a personality may know and say beside its answer. */
export interface TrackerContext {
  readonly world: World;
  readonly origin: string;
  /** sentry.io's brownout of the routes that are going away. */
  readonly brownout: boolean;
  /** A request that the real tracker refuses, or that must never be sent: fails the test. */
  violate(text: string): void;
  /** A refusal that a client may meet once while it learns the dialect; the second one is a violation. */
  learn(what: string): void;
}

export interface Personality {
  readonly name: PersonalityName;
  makeId(serial: number): string;
  answer(request: FakeRequest, context: TrackerContext): FakeReply;
}

/** Ends the handling of a request with this answer. */
export class Refusal extends Error {
  readonly reply: FakeReply;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`refused with ${status}`);
    this.reply = { status, body, headers };
  }
}
