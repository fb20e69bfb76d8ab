import type { Command, Doc } from './fault-proxy-wire.ts';

/** Fault of one command. */
export type Fault =
  /** Closes the connection before the engine receives the command. */
  | { readonly kind: 'cut' }
  /** Delivers the command to the engine after a delay in milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Answers with this body instead of the engine. */
  | { readonly kind: 'answer'; readonly body: Doc }
  /** Executes the command and adds these members to its answer. */
  | { readonly kind: 'amend'; readonly members: Doc }
  /** Executes the command and closes the connection instead of answering. */
  | { readonly kind: 'drop_answer' }
  /** Executes the command and closes the connection after this many bytes of the answer. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Executes the command, sends no answer and keeps the connection open. */
  | { readonly kind: 'silence' }
  /** Closes the connection at once. The engine receives the command after `release`, when the sender has given up. */
  | { readonly kind: 'late'; readonly release: Promise<void> };

export interface FaultRule {
  /** Names of the commands, or a predicate. */
  readonly command: string | readonly string[] | ((command: Command) => boolean);
  readonly collection?: string;
  /** Number of matching commands to let pass first; default 0. */
  readonly skip?: number;
  /** Number of commands to hit; default 1. */
  readonly times?: number;
  readonly fault: Fault;
}

/** Active rule. */
export interface InjectedFault {
  /** Number of commands hit so far. */
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
  #resolveHit: () => void = () => undefined;

  constructor(rule: FaultRule, onRemove: (rule: ActiveRule) => void) {
    this.fault = rule.fault;
    this.#rule = rule;
    this.#onRemove = onRemove;
    this.hit = new Promise((resolve) => (this.#resolveHit = resolve));
  }

  /** Whether the rule hits this command; counts skipped commands and hits. */
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
    this.#resolveHit();
    return true;
  }

  remove(): void {
    this.#onRemove(this);
  }
}

/** Error answers of mongod. */
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

/** Member of an answer whose write has not reached a majority: the next failover may undo it. */
export const WRITE_CONCERN_ERROR: Doc = {
  writeConcernError: {
    code: 64,
    codeName: 'WriteConcernTimeout',
    errmsg: 'waiting for replication timed out',
    errInfo: { wtimeout: true },
  },
};
