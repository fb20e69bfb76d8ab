import type { JournalFiles } from '../../src/domain/ports/journal-files.ts';
import { MongoBatches } from '../../src/storage/mongo/batch/mongo-batches.ts';
import { statusUpdate, type ErrorDocument } from '../../src/storage/mongo/documents.ts';
import type { ErrorStatus } from '../../src/domain/tracked-error.ts';
import { keyOf, SimDatabase, type SimResult, type SimOptions } from './mongo-sim.ts';
import { copyDisk, newDisk, runGateway, type SimDisk } from './mongo-sim-gateway.ts';
import { mergeSomething } from './mongo-sim-people.ts';
import { eventIdOf, PROJECT } from './mongo-sim-records.ts';
import { WRITE_RESULTS, type Scenario } from './mongo-sim-scenario.ts';
import { hexId, NOON } from './store-data.ts';

interface Gateway {
  readonly disk: SimDisk;
  readonly owner: string;
  generation: number;
  state: 'waiting' | 'running' | 'dead' | 'done' | 'gone';
}

const MAX_STEPS = 6000;

/** Gateways, one database and external operations, executed one step at a time. */
export class SimWorld {
  readonly db = new SimDatabase();
  readonly gateways: Gateway[] = [];
  /** Last status decision about each error, by its key. */
  readonly decisions = new Map<string, { status: ErrorStatus; res: number | null }>();
  readonly pruned = new Set<number>();
  readonly #scenario: Scenario;
  readonly #Batches: typeof MongoBatches;
  readonly #waiting: { gateway: Gateway | null; generation: number; go: () => void }[] = [];
  readonly #backups: SimDisk[] = [];
  #state: number;
  #now = NOON;
  #ids = 0;
  #calm = false;
  #steps = 0;

  /** `Batches`: replaces the implementation of the service. */
  constructor(scenario: Scenario, Batches = MongoBatches) {
    this.#scenario = scenario;
    this.#Batches = Batches;
    this.#state = scenario.seed | 0;
    this.db.of('projects').set(String(PROJECT), { _id: PROJECT });
    for (const [index, records] of scenario.journals.entries()) {
      const gateway = this.#add(newDisk(this.#newId(), [...records]), `owner ${index}`);
      gateway.state = scenario.releases && index > 0 ? 'waiting' : 'dead';
    }
  }

  /** Runs to the end; false when the maximum of steps was reached. */
  async run(): Promise<boolean> {
    this.gateways.filter(({ state }) => state === 'dead').forEach((gateway) => this.#start(gateway));
    while (this.#steps < MAX_STEPS) {
      await new Promise(setImmediate);
      this.#steps += 1;
      if (this.#steps % 50 === 0) {
        this.#now += 5000;
        this.#touch();
      }
      this.#calm ||= this.#steps > MAX_STEPS / 4;
      if (!this.#calm && this.#chance(this.#scenario.outside)) {
        this.#outside();
        continue;
      }
      if (this.#calm) {
        this.gateways.filter(({ state }) => state === 'dead').forEach((gateway) => this.#start(gateway));
      }
      const next = this.#take();
      if (next !== null) {
        next();
        continue;
      }
      const dead = this.gateways.filter(({ state }) => state === 'dead');
      const waiting = this.gateways.find(({ state }) => state === 'waiting');
      if (dead.length === 0 && waiting !== undefined) {
        this.#start(waiting);
      } else if (dead.length > 0) {
        dead.forEach((gateway) => this.#start(gateway));
      } else if (this.db.late.length > 0) {
        this.#land();
      } else {
        return true;
      }
    }
    return false;
  }

  random = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };

  #chance(percent: number): boolean {
    return this.random() * 100 < percent;
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  #newId(): string {
    this.#ids += 1;
    return hexId(`journal ${this.#ids}`);
  }

  #add(disk: SimDisk, owner = `owner of copy ${this.gateways.length}`): Gateway {
    const gateway: Gateway = { disk, owner, generation: 0, state: 'dead' };
    this.gateways.push(gateway);
    return gateway;
  }

  #start(gateway: Gateway): void {
    gateway.generation += 1;
    gateway.state = 'running';
    const { generation } = gateway;
    const alive = () => gateway.generation === generation && gateway.state === 'running';
    const crashed = () => {
      if (alive()) {
        gateway.state = 'dead';
      }
    };
    const turn = () =>
      new Promise<void>((go) => {
        this.#waiting.push({ gateway, generation, go });
      });
    const options: SimOptions = {
      drawResult: (write, size) => this.#drawResult(write, size),
      turn,
      random: this.random,
      poison: new Set(this.#scenario.poison.map(eventIdOf)),
    };
    const store = new this.#Batches({
      collections: this.db.connect(options, crashed),
      planFiles: this.#planFiles(gateway.disk, turn, crashed),
      planDir: '',
      owner: gateway.owner,
      now: () => this.#now,
    });
    const version = this.#scenario.upgrades && this.#chance(40) ? 1 : 0;
    const { disk } = gateway;
    const tears = () => this.#scenario.torn && !this.#calm && this.#chance(50);
    void runGateway({ disk, store, version, random: this.random, newId: () => this.#newId(), turn, alive, tears })
      .then(() => (this.#scenario.releases && alive() ? store.release(disk.journalId) : null))
      .then(
        () => {
          if (alive()) {
            gateway.state = 'done';
          }
        },
        () => crashed(),
      );
  }

  /** Plan files whose `replace` is atomic and durable; a crash may occur before or after it. */
  #planFiles(
    disk: SimDisk,
    turn: () => Promise<void>,
    crashed: () => void,
  ): Pick<JournalFiles, 'makeDir' | 'readAll' | 'replace' | 'remove'> {
    const step = async (change: () => void) => {
      await turn();
      const drawn = this.#drawResult(true, 1);
      if (drawn !== 'crash_before') {
        change();
      }
      if (drawn === 'crash_before' || drawn === 'crash_after') {
        crashed();
        await new Promise(() => undefined);
      }
    };
    return {
      makeDir: async () => undefined,
      readAll: async (path) => {
        const content = disk.plans.get(path);
        return content === undefined ? null : Buffer.from(content);
      },
      replace: (path, content) => step(() => disk.plans.set(path, content)),
      remove: (path) => step(() => disk.plans.delete(path)),
    };
  }

  #drawResult(write: boolean, size: number): SimResult {
    if (write && size > 1 && this.#chance(10)) {
      return 'race';
    }
    if (this.#calm || !this.#chance(this.#scenario.faults)) {
      return 'ok';
    }
    if (write && size > 1 && this.#scenario.refusals && this.#chance(25)) {
      return 'never';
    }
    return (write ? this.#pick(WRITE_RESULTS) : this.#pick<SimResult>(['crash_before', 'lost'])) ?? 'ok';
  }

  /** Picks a random waiting operation; drops those of dead processes. */
  #take(): (() => void) | null {
    while (this.#waiting.length > 0) {
      const [next] = this.#waiting.splice(Math.floor(this.random() * this.#waiting.length), 1);
      const { gateway, generation, go } = next!;
      if (gateway === null || (gateway.generation === generation && gateway.state === 'running')) {
        return go;
      }
    }
    return null;
  }

  #land(): void {
    const [late] = this.db.late.splice(Math.floor(this.random() * this.db.late.length), 1);
    if (this.#chance(85)) {
      this.db.unsafe();
      late?.();
    }
  }

  #outside(): void {
    const { copies, prunes, merges } = this.#scenario;
    const choice = Math.floor(this.random() * (merges ? 18 : 12));
    const errors = [...this.db.of('errors').values()] as unknown as ErrorDocument[];
    const error = this.#pick(errors);
    if (choice < 3 && this.db.late.length > 0) {
      this.#land();
    } else if (choice === 3) {
      this.db.failOver();
    } else if (choice < 7 && error !== undefined) {
      this.#decide(error);
    } else if (choice === 7 && prunes) {
      this.#prune();
    } else if (choice === 8) {
      const dead = this.gateways.find(({ state }) => state === 'dead');
      if (dead !== undefined) {
        this.#start(dead);
      }
    } else if (choice === 9) {
      const running = this.#pick(this.gateways.filter(({ state }) => state === 'running'));
      if (running !== undefined) {
        running.state = 'dead';
      }
    } else if (choice > 11) {
      this.#merge(errors);
    } else if (choice > 9 && copies && this.gateways.length < 6) {
      this.#copy();
    }
  }

  #decide(error: ErrorDocument): void {
    const status = this.#pick(['resolved', 'resolved', 'unresolved', 'ignored'] as const) ?? 'resolved';
    const [{ $set }] = statusUpdate(status, NOON + Math.floor(this.random() * 9000)) as [
      { $set: { st: number; res: unknown } },
    ];
    const { $max } = $set.res as { $max?: [number, string] };
    const res = $max === undefined ? null : Math.max($max[0], error.rcv);
    this.db
      .of('errors')
      .set(keyOf(error as never), { ...error, st: $set.st, res, into: this.#scenario.merges ? error.into : 0 });
    this.db.safe();
    this.decisions.set(keyOf(error as never), { status, res });
  }

  /** Merges errors; may fail after any step. */
  #merge(errors: readonly ErrorDocument[]): void {
    const turn = () => new Promise<void>((go) => this.#waiting.push({ gateway: null, generation: 0, go }));
    const drawResult = (write: boolean, size: number) => this.#drawResult(write, size);
    mergeSomething(this.db, errors, { drawResult, turn, random: this.random, poison: new Set() }, this.#now);
  }

  #prune(): void {
    const events = this.db.of('events');
    for (const [key, { d: _payload, ...rest }] of events) {
      const id = this.#scenario.journals.flat().find((record) => eventIdOf(record.id) === key.slice(8))?.id ?? -1;
      if (id % 2 === 1 && !this.#scenario.copies && this.#comesOnce(id)) {
        events.delete(key);
        this.pruned.add(id);
      } else if (this.#chance(50)) {
        events.set(key, rest);
      }
    }
    this.db.safe();
  }

  #comesOnce(id: number): boolean {
    return this.#scenario.journals.flat().filter((record) => record.id === id).length === 1;
  }

  /** Copies a data dir, restores an older one, or moves a gateway to another machine permanently. */
  #copy(): void {
    const from = this.#pick(this.gateways.filter(({ state }) => state !== 'gone'));
    if (from === undefined) {
      return;
    }
    const how = Math.floor(this.random() * 5);
    if (how === 0) {
      this.#start(this.#add(copyDisk(from.disk)));
    } else if (how === 4 && this.#scenario.clones) {
      // Copies a whole machine, which has the same owner as the original.
      this.#start(this.#add(copyDisk(from.disk), from.owner));
    } else if (how === 1) {
      this.#backups.push(copyDisk(from.disk));
    } else if (how === 2) {
      const backup = this.#pick(this.#backups);
      if (backup !== undefined) {
        this.#start(this.#add(copyDisk(backup)));
      }
    } else if (how === 3 && !this.#scenario.clones) {
      from.state = 'gone';
      this.#now += 120_000;
      this.#touch();
      this.#start(this.#add(copyDisk(from.disk)));
    }
  }

  /** Updates the heartbeat of all live gateways. */
  #touch(): void {
    for (const [key, slot] of this.db.of('slots')) {
      const lives = ({ owner, disk, state }: Gateway) =>
        owner === slot.o && disk.journalId === slot.j && state !== 'gone';
      if (this.gateways.some(lives)) {
        this.db.of('slots').set(key, { ...slot, seen: this.#now });
      }
    }
  }
}
