import { deleteUnused, leaveBlocks, unpackSparse } from '../../src/storage/mongo/batch/block-removal.ts';
import { MongoBatches } from '../../src/storage/mongo/batch/mongo-batches.ts';
import { packBodies } from '../../src/storage/mongo/batch/packed-block.ts';
import type { ErrorDocument } from '../../src/storage/mongo/documents/error-documents.ts';
import { SimDatabase, type SimResult, type SimOptions } from './mongo-sim.ts';
import { copyDisk, newDisk, runGateway, simPlanFiles, type SimDisk } from './mongo-sim-gateway.ts';
import { seededRandom, touchSlots, type Gateway } from './mongo-sim-machines.ts';
import { decideSomething, endSomeMutes, mergeSomething, pruneSomething } from './mongo-sim-people.ts';
import { eventIdOf, PROJECT } from './mongo-sim-records.ts';
import { FactLog } from '../../src/storage/mongo/alerts/fact-log.ts';
import { SimFacts, type FactCode } from './mongo-sim-facts.ts';
import { SimImports } from './mongo-sim-imports.ts';
import { SimRetention, type RetentionCode } from './mongo-sim-retention.ts';
import type { Decision } from './mongo-sim-states.ts';
import { WRITE_RESULTS, type Scenario } from './mongo-sim-scenario.ts';
import { hexId, HOUR, NOON } from './store-data.ts';

/** Code of batches and of retention that a world runs. */
export interface BatchCode extends RetentionCode, FactCode {
  readonly MongoBatches: typeof MongoBatches;
}

const MAX_STEPS = 6000;
/** Number of steps of retention after the journals. */
const RETENTION_STEPS = 30;
/** Maximum hours that pass; fewer than those after which a slot is free. */
const MAX_HOURS = 24;

const REAL_CODE: BatchCode = { MongoBatches, FactLog, leaveBlocks, unpackSparse, deleteUnused, packBodies };

/** Gateways, one database and external operations, executed one step at a time. */
export class SimWorld {
  readonly random: () => number;
  readonly db = new SimDatabase();
  readonly gateways: Gateway[] = [];
  /** Status decisions about each error, by its key. */
  readonly decisions = new Map<string, Decision[]>();
  readonly pruned = new Set<number>();
  readonly #scenario: Scenario;
  readonly #code: BatchCode;
  readonly retention: SimRetention;
  readonly facts: SimFacts;
  readonly imports = new SimImports(this.db);
  readonly #waiting: { gateway: Gateway | null; generation: number; go: () => void }[] = [];
  readonly #backups: SimDisk[] = [];
  #now = NOON;
  #ids = 0;
  #calm = false;
  #steps = 0;
  #hours = 0;
  #afterwards = 0;

  /** `code`: replaces parts of the implementation of the service. */
  constructor(scenario: Scenario, code: Partial<BatchCode> = {}) {
    this.#scenario = scenario;
    this.random = seededRandom(scenario.seed);
    this.#code = { ...REAL_CODE, ...code };
    this.retention = new SimRetention(this.db, this.#code, {
      random: this.random,
      drawResult: (write, size) => this.#drawResult(write, size),
      turn: () => this.#turnOfOthers(),
      now: () => this.#now,
    });
    this.facts = new SimFacts(this.db, this.#code);
    this.db.of('projects').set(String(PROJECT), { _id: PROJECT });
    if (scenario.imports) this.imports.begin();
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
        touchSlots(this.db, this.gateways, this.#now);
      }
      this.#calm ||= this.#steps > MAX_STEPS / 4;
      if (!this.#calm && this.#chance(this.#scenario.outside)) {
        if (!this.imports.takeTurn(this.random, this.#scenario)) this.#outside();
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
      } else if (this.#scenario.blocks && dead.length === 0 && !this.#calm && this.#afterwards < RETENTION_STEPS) {
        this.#afterwards += 1;
        if (this.db.late.length > 0 && this.#chance(20)) {
          this.#land();
        } else {
          this.#retain();
        }
      } else if (dead.length > 0) {
        dead.forEach((gateway) => this.#start(gateway));
      } else if (this.db.late.length > 0) {
        this.#land();
      } else {
        if (this.#scenario.blocks) {
          await this.#finishRetention();
        }
        if (this.#scenario.facts) await endSomeMutes(this.db, this.#calmOptions(), Infinity);
        return true;
      }
    }
    return false;
  }

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
    const store = new this.#code.MongoBatches({
      collections: this.db.connect(options, crashed),
      planFiles: simPlanFiles(gateway.disk, options, crashed),
      planDir: '',
      owner: gateway.owner,
      now: () => this.#now,
    });
    const version = this.#scenario.upgrades && this.#chance(40) ? 1 : 0;
    const { disk } = gateway;
    const tears = () => this.#scenario.torn && !this.#calm && this.#chance(50);
    const { blocks } = this.#scenario;
    void runGateway({
      disk,
      store,
      version,
      blocks,
      random: this.random,
      newId: () => this.#newId(),
      turn,
      alive,
      tears,
    })
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
    const { copies, prunes, merges, blocks } = this.#scenario;
    if (blocks && this.#chance(60)) {
      this.#retain();
      return;
    }
    if (this.#scenario.facts && this.#chance(50)) {
      this.#useFacts();
      return;
    }
    const choice = Math.floor(this.random() * (merges ? 18 : 12));
    const errors = [...this.db.of('errors').values()] as unknown as ErrorDocument[];
    const error = this.#pick(errors);
    if (choice < 3 && this.db.late.length > 0) {
      this.#land();
    } else if (choice === 3) {
      this.db.failOver();
    } else if (choice < 7 && error !== undefined) {
      decideSomething(this.db, error, this.random, this.#scenario, this.decisions);
    } else if (choice === 7 && prunes) {
      pruneSomething(this.db, this.#scenario, this.pruned, this.random);
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

  /** Collects facts, reads the log, or ends mutes; any of them may fail after any step. */
  #useFacts(): void {
    const choice = this.random() * 4;
    const options = { ...this.#calmOptions(), turn: () => this.#turnOfOthers() };
    const failing: SimOptions = { ...options, drawResult: (write, size) => this.#drawResult(write, size) };
    if (choice < 2) this.facts.collect(failing, () => this.#now);
    else if (choice < 3) this.facts.read();
    else void endSomeMutes(this.db, failing, NOON + Math.floor(this.random() * 9000)).catch(() => undefined);
  }

  #calmOptions(): SimOptions {
    return { drawResult: () => 'ok', turn: async () => undefined, random: this.random, poison: new Set() };
  }

  /** Starts a process of retention, or lets an hour pass in which the gateways send heartbeats. */
  #retain(): void {
    if (this.#hours < MAX_HOURS && this.#chance(25)) {
      this.#hours += 1;
      this.#passHour();
    } else {
      this.retention.start();
    }
  }

  /** Packs and sweeps without faults until all leftovers are old enough. */
  async #finishRetention(): Promise<void> {
    this.#passHour();
    await this.retention.finish(() => this.#passHour());
  }

  #passHour(): void {
    this.#now += 2 * HOUR;
    touchSlots(this.db, this.gateways, this.#now);
  }

  /** Waits for a turn of a process that is no gateway. */
  #turnOfOthers(): Promise<void> {
    return new Promise((go) => this.#waiting.push({ gateway: null, generation: 0, go }));
  }

  /** Merges errors; may fail after any step. */
  #merge(errors: readonly ErrorDocument[]): void {
    const turn = () => this.#turnOfOthers();
    const drawResult = (write: boolean, size: number) => this.#drawResult(write, size);
    mergeSomething(this.db, errors, { drawResult, turn, random: this.random, poison: new Set() }, this.#now);
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
      touchSlots(this.db, this.gateways, this.#now);
      this.#start(this.#add(copyDisk(from.disk)));
    }
  }
}
