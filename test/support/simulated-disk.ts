import { basename, dirname, join } from 'node:path';
import type { AppendFile, JournalFiles } from '../../src/domain/ports/journal-files.ts';

interface Inode {
  content: Buffer;
  /** Number of bytes from the start that survive a power cut. */
  durable: number;
  /** Position from which a failed sync lost data: later syncs succeed, but these bytes are never stored. */
  lostFrom: number;
}

export interface SimulatedDiskOptions {
  /** Number (from 0) of the operation before which the power fails. */
  readonly cutAt?: number;
  /** Whether syncs of files succeed without effect. */
  readonly ignoreSync?: boolean;
  /** Whether syncs of directories succeed without effect. */
  readonly ignoreSyncDir?: boolean;
}

/** Unsynced bytes and directory entries that survive a power cut. */
export type Survival = 'none' | 'all' | (() => number);

type Directory = Map<string, Inode>;

/**
 * Disk that forgets unsynced data at a power cut. Directories always survive, as `makeDir` promises.
 * Their entries and the bytes of files survive only if synced.
 * After the cut every operation hangs, as its process no longer exists; `dead` then resolves.
 */
export class SimulatedDisk implements JournalFiles {
  readonly #options: SimulatedDiskOptions;
  /** State seen by the running system, and the durable state. */
  readonly #visible = new Map<string, Directory>();
  readonly #durable = new Map<string, Directory>();
  #die: () => void = () => undefined;
  readonly dead: Promise<void>;
  #isDead = false;
  /** Number of operations so far that change, read or sync the disk. */
  operations = 0;
  syncs = 0;
  /** Called before an operation; an exception makes it fail. A failed sync loses its data. */
  fail: (operation: string, path: string) => void = () => undefined;

  constructor(options: SimulatedDiskOptions = {}) {
    this.#options = options;
    this.dead = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  /** Counts as one operation; also for other parts that fail together with the machine. */
  async step(): Promise<void> {
    if (this.#isDead || this.operations === this.#options.cutAt) {
      this.#isDead = true;
      this.#die();
      await new Promise<never>(() => undefined);
    }
    this.operations += 1;
  }

  /**
   * Disk after a restart. `none`: only synced data. `all`: all data, as after `kill -9`; unsynced data may be lost
   * later.
   * A random function: for each file some unsynced bytes from the start, and a random choice of entries.
   */
  restart(survival: Survival, options: SimulatedDiskOptions = {}): SimulatedDisk {
    const next = new SimulatedDisk(options);
    const inodes = new Map<Inode, Inode>();
    const survivor = (inode: Inode) => {
      const known = inodes.get(inode) ?? surviving(inode, survival);
      inodes.set(inode, known);
      return known;
    };
    for (const [path, visible] of this.#visible) {
      const durable = this.#durable.get(path) ?? new Map<string, Inode>();
      const entries: Directory = new Map();
      for (const name of new Set([...visible.keys(), ...durable.keys()])) {
        const unsynced = visible.get(name) !== durable.get(name);
        const inode = unsynced && keeps(survival) ? visible.get(name) : durable.get(name);
        if (inode !== undefined) {
          entries.set(name, survivor(inode));
        }
      }
      next.#visible.set(path, entries);
      const kept = survival === 'all' ? [...durable].map(([name, inode]) => [name, survivor(inode)] as const) : entries;
      next.#durable.set(path, new Map(kept));
    }
    return next;
  }

  async makeDir(path: string): Promise<void> {
    await this.#begin('makeDir', path);
    for (let made = path; !this.#visible.has(made); made = dirname(made)) {
      this.#visible.set(made, new Map());
      this.#durable.set(made, new Map());
    }
  }

  async list(dir: string): Promise<string[]> {
    await this.#begin('list', dir);
    const within = [...this.#visible.keys()].filter((path) => path !== dir && dirname(path) === dir);
    return [...(this.#visible.get(dir)?.keys() ?? []), ...within.map((path) => basename(path))].sort();
  }

  async create(path: string, synced?: 'synced'): Promise<AppendFile> {
    await this.#begin('create', path);
    if (this.#directory(path).has(basename(path))) {
      throw failure('EEXIST', path);
    }
    const inode: Inode = { content: Buffer.alloc(0), durable: 0, lostFrom: Infinity };
    this.#directory(path).set(basename(path), inode);
    return {
      append: async (buffers) => {
        await this.#begin('append', path);
        inode.content = Buffer.concat([inode.content, ...buffers]);
        // A write that syncs is no single step: the power may fail before its bytes are on the disk.
        if (synced !== undefined) await this.#sync(inode, path);
      },
      sync: () => this.#sync(inode, path),
      close: () => this.#begin('close', path),
    };
  }

  async size(path: string): Promise<number> {
    await this.#begin('size', path);
    return this.#inode(path).content.length;
  }

  async read(path: string, offset: number, length: number, into?: Buffer): Promise<Buffer> {
    await this.#begin('read', path);
    const bytes = this.#inode(path).content.subarray(offset, offset + length);
    if (into === undefined) return Buffer.from(bytes);
    into.set(bytes);
    return into.subarray(0, bytes.length);
  }

  async readAll(path: string): Promise<Buffer | null> {
    await this.#begin('readAll', path);
    const inode = this.#visible.get(dirname(path))?.get(basename(path));
    return inode === undefined ? null : Buffer.from(inode.content);
  }

  async replace(path: string, content: Uint8Array): Promise<void> {
    const beside = `${path}.tmp`;
    await this.remove(beside);
    const file = await this.create(beside);
    await file.append([content]);
    await file.sync();
    await file.close();
    await this.rename(beside, path);
    await this.syncDir(dirname(path));
  }

  async remove(path: string): Promise<void> {
    await this.#begin('remove', path);
    this.#visible.get(dirname(path))?.delete(basename(path));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#begin('rename', from);
    const inode = this.#inode(from);
    this.#directory(from).delete(basename(from));
    this.#directory(to).set(basename(to), inode);
  }

  async syncDir(dir: string): Promise<void> {
    await this.#begin('syncDir', dir);
    this.syncs += 1;
    if (this.#options.ignoreSyncDir !== true) {
      this.#durable.set(dir, new Map(this.#visible.get(dir)));
    }
  }

  async syncFile(path: string): Promise<void> {
    await this.#sync(this.#inode(path), path);
  }

  /** Overwrites bytes in place, like a defective disk. */
  damage(path: string, offset: number, bytes: Uint8Array): void {
    const inode = this.#inode(path);
    inode.content = Buffer.concat([
      inode.content.subarray(0, offset),
      bytes,
      inode.content.subarray(offset + bytes.length),
    ]);
  }

  truncate(path: string, length: number): void {
    const inode = this.#inode(path);
    inode.content = inode.content.subarray(0, length);
    inode.durable = Math.min(inode.durable, length);
  }

  /** Copies a directory tree under another name, like `cp -a`. */
  copyTree(from: string, to: string): void {
    for (const [path, entries] of [...this.#visible]) {
      if (path === from || path.startsWith(`${from}/`)) {
        const copies = new Map([...entries].map(([name, inode]) => [name, { ...inode }]));
        this.#visible.set(join(to, path.slice(from.length)), copies);
        this.#durable.set(join(to, path.slice(from.length)), new Map(copies));
      }
    }
  }

  async #sync(inode: Inode, path: string): Promise<void> {
    try {
      await this.#begin('sync', path);
    } catch (error) {
      inode.lostFrom = Math.min(inode.lostFrom, inode.durable);
      throw error;
    }
    this.syncs += 1;
    if (this.#options.ignoreSync !== true) {
      inode.durable = Math.min(inode.content.length, inode.lostFrom);
    }
  }

  async #begin(operation: string, path: string): Promise<void> {
    await this.step();
    // Answers asynchronously like a real disk, so that callers can share a sync.
    await new Promise(setImmediate);
    if (this.#isDead) {
      await new Promise<never>(() => undefined);
    }
    this.fail(operation, path);
  }

  #directory(path: string): Directory {
    const directory = this.#visible.get(dirname(path));
    if (directory === undefined) {
      throw failure('ENOENT', path);
    }
    return directory;
  }

  #inode(path: string): Inode {
    const inode = this.#directory(path).get(basename(path));
    if (inode === undefined) {
      throw failure('ENOENT', path);
    }
    return inode;
  }
}

function surviving(inode: Inode, survival: Survival): Inode {
  if (survival === 'all') {
    return { ...inode };
  }
  const unsynced = inode.content.length - inode.durable;
  const extra = survival === 'none' ? 0 : Math.floor(survival() * (unsynced + 1));
  const content = Buffer.from(inode.content.subarray(0, inode.durable + extra));
  return { content, durable: content.length, lostFrom: Infinity };
}

function keeps(survival: Survival): boolean {
  return survival === 'all' || (survival !== 'none' && survival() < 0.5);
}

export function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
