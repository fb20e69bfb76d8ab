import { createHash } from 'node:crypto';
import { isProtectionOverrides, type ProjectProtection } from '../domain/ingest/protection-overrides.ts';
import type { IngestGrant } from '../domain/ports/intake.ts';
import type { IngestAccess } from '../domain/ports/stores/tracking-store.ts';

/** SHA-256 of the public key as base64url, the key's id, its project's id. */
type Row = readonly [hash: string, keyId: number, projectId: number];
type Alias = readonly [projectId: number, alias: string];
/** Project with a forward, and the time until which it forwards; null: no end. */
type ForwardRow = readonly [projectId: number, until: number | null];

/** Format version of the file. A file of an unknown version is ignored. */
const FORMAT = 2;
/** Version whose aliases are pairs of numbers: alias, project. */
const FORMAT_OF_NUMBERS = 1;

/**
 * Accepted client keys as of the last store read; used while the store is unavailable. Contains only active keys of
 * projects with active integrated tracking, so it can grant and never refuse. Keys are stored as hashes: a copy of
 * the file cannot be used to send. Includes the protection overrides of projects, so their limits apply as well.
 */
export class KeySnapshot {
  readonly protections: readonly ProjectProtection[];
  readonly #rows: readonly Row[];
  readonly #aliases: readonly Alias[];
  readonly #forwards: readonly ForwardRow[];
  readonly #byHash: ReadonlyMap<string, IngestGrant>;
  /** Aliases by project. */
  readonly #aliasesOf = new Map<number, Set<string>>();
  /**
   * Caches grants by key, so that known keys are not hashed again. Holds only keys of the snapshot, which bounds it.
   */
  readonly #found = new Map<string, IngestGrant>();

  private constructor(
    rows: readonly Row[],
    aliases: readonly Alias[],
    protections: readonly ProjectProtection[],
    forwards: readonly ForwardRow[],
  ) {
    this.protections = protections;
    this.#rows = rows;
    this.#aliases = aliases;
    this.#forwards = forwards;
    const until = new Map(forwards);
    this.#byHash = new Map(
      rows.map(([hash, keyId, projectId]) => [hash, grantOf(projectId, keyId, until.get(projectId))]),
    );
    for (const [projectId, alias] of aliases) {
      const known = this.#aliasesOf.get(projectId);
      if (known === undefined) this.#aliasesOf.set(projectId, new Set([alias]));
      else known.add(alias);
    }
  }

  static of({ keys, aliases, protections, forwards }: Omit<IngestAccess, 'version'>): KeySnapshot {
    return new KeySnapshot(
      keys.map(({ id, projectId, publicKey }) => [hashOf(publicKey), id, projectId]),
      aliases,
      protections,
      forwards,
    );
  }

  /** Parses the output of `text`, also that of earlier versions; null for anything else. */
  static parse(text: string): KeySnapshot | null {
    try {
      const { format, keys, protections = [], forwards = [], ...rest } = JSON.parse(text) as Record<string, unknown>;
      const aliases = format === FORMAT_OF_NUMBERS ? asTexts(rest['aliases']) : rest['aliases'];
      const good =
        (format === FORMAT || format === FORMAT_OF_NUMBERS) &&
        isList(keys, isRow) &&
        isList(aliases, isAlias) &&
        isList(protections, isProtection) &&
        isList(forwards, isForward);
      return good ? new KeySnapshot(keys, aliases, protections, forwards) : null;
    } catch {
      return null;
    }
  }

  /** Serialises the snapshot for the data dir. Equal snapshots have equal texts. */
  get text(): string {
    const { protections } = this;
    const rows = { keys: this.#rows, aliases: this.#aliases, protections, forwards: this.#forwards };
    return `${JSON.stringify({ format: FORMAT, ...rows })}\n`;
  }

  /** Ids of the projects with a forward. */
  get forwarding(): readonly number[] {
    return this.#forwards.map(([projectId]) => projectId);
  }

  get size(): number {
    return this.#rows.length;
  }

  /**
   * Returns the grant of a key for an id in an address: its project's own or an alias of it. Null when the snapshot has
   * none; the key may still be valid.
   */
  find(publicKey: string, dsnId: string): IngestGrant | null {
    const grant = this.#found.get(publicKey) ?? this.#lookUp(publicKey);
    if (grant === undefined) return null;
    const { projectId } = grant;
    return String(projectId) === dsnId || this.#aliasesOf.get(projectId)?.has(dsnId) === true ? grant : null;
  }

  #lookUp(publicKey: string): IngestGrant | undefined {
    const grant = this.#byHash.get(hashOf(publicKey));
    if (grant !== undefined) this.#found.set(publicKey, grant);
    return grant;
  }
}

/** Builds a grant. `until`: end of the forward; undefined: the project has none. */
function grantOf(projectId: number, keyId: number, until: number | null | undefined): IngestGrant {
  return until === undefined ? { projectId, keyId } : { projectId, keyId, forwardUntil: until ?? Infinity };
}

function hashOf(publicKey: string): string {
  return createHash('sha256').update(publicKey).digest('base64url');
}

function isList<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false;
  const [hash, keyId, projectId] = value as unknown[];
  return typeof hash === 'string' && Number.isSafeInteger(keyId) && Number.isSafeInteger(projectId);
}

function isAlias(value: unknown): value is Alias {
  return Array.isArray(value) && value.length === 2 && Number.isSafeInteger(value[0]) && typeof value[1] === 'string';
}

/** Returns aliases of the earlier format as pairs of project and text; null for anything else. */
function asTexts(aliases: unknown): readonly Alias[] | null {
  const isNumbers = (one: unknown): one is readonly [number, number] =>
    Array.isArray(one) && one.length === 2 && one.every(Number.isSafeInteger);
  return isList(aliases, isNumbers) ? aliases.map(([alias, projectId]) => [projectId, String(alias)] as const) : null;
}

function isForward(value: unknown): value is ForwardRow {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [projectId, until] = value as unknown[];
  return Number.isSafeInteger(projectId) && (until === null || Number.isSafeInteger(until));
}

function isProtection(value: unknown): value is ProjectProtection {
  return (
    Array.isArray(value) && value.length === 2 && Number.isSafeInteger(value[0]) && isProtectionOverrides(value[1])
  );
}
