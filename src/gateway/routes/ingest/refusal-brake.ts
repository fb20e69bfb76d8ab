import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../domain/ports/clock.ts';
import { PerSecondBudget } from '../../../lib/per-second-budget.ts';

/** Refused before anything of the body was read: without a key, with one that may not send, for no project. */
const BRAKED = new Set([401, 403, 404, 405]);

/** Such answers that are given at once, per second: more than a mistaken application needs, far less than a flood. */
const PROMPT_PER_SECOND = 100;

/** By how much the others are put off, milliseconds. No SDK waits less than a second for an answer. */
const HELD_MS = 100;

/** Answers that are put off at a time. Beyond, they are given at once: waiting requests must not pile up. */
const MAX_HELD = 1000;

export interface RefusalBrakeDeps {
  readonly clock: Clock;
  /** Resolves after so many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Makes a flood of requests that are refused wait, so that it cannot outrun those that are let in: who sends again as
 * soon as he is answered comes ten times a second on each connection, and not as often as the machine can refuse.
 */
export class RefusalBrake {
  readonly #deps: Required<RefusalBrakeDeps>;
  readonly #prompt = new PerSecondBudget(PROMPT_PER_SECOND);
  #held = 0;

  constructor(deps: RefusalBrakeDeps) {
    this.#deps = { pause, ...deps };
  }

  /** Resolves when a refusal with this status may be answered. */
  async hold(status: number): Promise<void> {
    const { clock } = this.#deps;
    if (!BRAKED.has(status) || this.#prompt.take(clock.now()) || this.#held >= MAX_HELD) return;
    this.#held += 1;
    try {
      await this.#deps.pause(HELD_MS);
    } finally {
      this.#held -= 1;
    }
  }
}
