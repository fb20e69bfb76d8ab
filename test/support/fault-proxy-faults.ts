import type { Command, Doc } from './fault-proxy-wire.ts';

/** What happens to one command on its way. */
export type Fault =
  /** The connection ends before the engine sees the command. */
  | { readonly kind: 'cut' }
  /** The engine sees it this many milliseconds later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Answered with this body; the engine never sees it. */
  | { readonly kind: 'answer'; readonly body: Doc }
  /** Carried out; its answer gets these members. */
  | { readonly kind: 'amend'; readonly members: Doc }
  /** Carried out; the connection ends where the answer would come. */
  | { readonly kind: 'drop_answer' }
  /** Carried out; the connection ends after this many bytes of the answer. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Carried out; the answer never comes and the connection stays. */
  | { readonly kind: 'silence' }
  /** The connection ends at once; the engine sees the command after `release`, when its sender has long given up. */
  | { readonly kind: 'late'; readonly release: Promise<void> };

export interface FaultRule {
  /** Names of the commands it is for, or what decides. */
  readonly command: string | readonly string[] | ((command: Command) => boolean);
  readonly collection?: string;
  /** So many matching commands pass unharmed before; default 0. */
  readonly skip?: number;
  /** So many are hit; default 1. */
  readonly times?: number;
  readonly fault: Fault;
}

/** A rule in force. */
export interface InjectedFault {
  /** Commands hit so far. */
  readonly hits: number;
  /** Resolves at the first hit. */
  readonly hit: Promise<void>;
  remove(): void;
}

export class ActiveRule implements InjectedFault {
  readonly fault: Fault;
  readonly hit: Promise<void>;
  hits = 0;
  readonly #rule: FaultRule;
  readonly #onRemove: (rule: ActiveRule) => void;
  #skipped = 0;
  #tellHit: () => void = () => undefined;

  constructor(rule: FaultRule, onRemove: (rule: ActiveRule) => void) {
    this.fault = rule.fault;
    this.#rule = rule;
    this.#onRemove = onRemove;
    this.hit = new Promise((resolve) => (this.#tellHit = resolve));
  }

  /** Whether it hits this command; counts it then. */
  takes(command: Command): boolean {
    const { command: wanted, collection, skip = 0, times = 1 } = this.#rule;
    const matches =
      (collection === undefined || command.collection === collection) &&
      (typeof wanted === 'function' ? wanted(command) : [wanted].flat().includes(command.name));
    if (!matches || this.hits >= times) return false;
    if (this.#skipped < skip) {
      this.#skipped += 1;
      return false;
    }
    this.hits += 1;
    this.#tellHit();
    return true;
  }

  remove(): void {
    this.#onRemove(this);
  }
}

/** Answers as mongod gives them. */
export const ANSWERS = {
  notPrimary: { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' },
  interrupted: {
    ok: 0,
    code: 11_602,
    codeName: 'InterruptedDueToReplStateChange',
    errmsg: 'operation was interrupted',
  },
  unauthorized: { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized on errgate to execute command' },
  authenticationFailed: { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' },
} as const satisfies Record<string, Doc>;

/** Member of an answer whose write is not at a majority: it may vanish with the next failover. */
export const WRITE_CONCERN_ERROR: Doc = {
  writeConcernError: {
    code: 64,
    codeName: 'WriteConcernTimeout',
    errmsg: 'waiting for replication timed out',
    errInfo: { wtimeout: true },
  },
};
