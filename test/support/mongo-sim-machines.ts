import type { SimDatabase } from './mongo-sim.ts';
import type { SimDisk } from './mongo-sim-gateway.ts';

/** Process of the simulation with its data dir. */
export interface Gateway {
  readonly disk: SimDisk;
  readonly owner: string;
  generation: number;
  state: 'waiting' | 'running' | 'dead' | 'done' | 'gone';
}

/** Returns numbers from 0 (inclusive) to 1 (exclusive), the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Updates the heartbeat of all live gateways. */
export function touchSlots(db: SimDatabase, gateways: readonly Gateway[], now: number): void {
  for (const [key, slot] of db.of('slots')) {
    const lives = ({ owner, disk, state }: Gateway) =>
      owner === slot.o && disk.journalId === slot.j && state !== 'gone';
    if (gateways.some(lives)) {
      db.of('slots').set(key, { ...slot, seen: now });
    }
  }
}
