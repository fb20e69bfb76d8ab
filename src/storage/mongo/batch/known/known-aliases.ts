import type { GroupHash } from '../../../../domain/ingest/digest.ts';
import type { KnownGroupHash } from '../../../errors/former-group-hashes.ts';
import { IMPORTED_GROUPING_VERSION } from '../../../imports/imported-group-hash.ts';
import { errorKey, hexBinary, type Binary } from '../../documents/document-keys.ts';
import type { ErrorDocument } from '../../documents/error-documents.ts';
import { targetVersion, type GroupAliasDocument } from '../../documents/import-documents.ts';
import { byId, type BatchCollections, type Doc } from '../../engine/batch-collections.ts';
import { duplicatesIn } from '../answers.ts';
import { findKeys, type Keyed } from './key-filters.ts';
import type { KnownProjects } from './known-projects.ts';
import { hex } from '../marked-rows.ts';

/** Group hash of mapped events, and that of the error in which they are counted. */
export interface MappedAlias extends GroupHash {
  readonly projectId: number;
  readonly target: GroupHash;
}

export interface KnownAliasesOptions {
  readonly collections: Pick<BatchCollections, 'errors' | 'groupAliases' | 'projects'>;
  readonly projects: KnownProjects;
  /** True when the numbers of the errors that these keys (as hex) lead to will be compared. */
  readonly compares: (leading: ReadonlySet<string>) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Alias = Pick<GroupAliasDocument, '_id' | 'p' | 'l' | 'lv' | 'end'>;
type Target = Pick<ErrorDocument, '_id' | 'id'>;

/** Group hashes of a batch that lead to errors with other group hashes. */
export class KnownAliases {
  readonly #options: KnownAliasesOptions;
  readonly #targets = new Map<string, KnownGroupHash>();
  /** Keys that have an alias, also one that a person ended. */
  readonly #taken = new Set<string>();

  constructor(options: KnownAliasesOptions) {
    this.#options = options;
  }

  /** True when an alias of a key (as hex) may be left: it has none, and its project is there. */
  mayKeep(projectId: number, key: string): boolean {
    return this.#options.projects.has(projectId) && !this.#taken.has(key);
  }

  /** Returns the error that a key (as hex) leads to. */
  targetOf(key: string): KnownGroupHash | undefined {
    return this.#targets.get(key);
  }

  async read(keys: readonly Keyed[]): Promise<void> {
    const { errors, groupAliases } = this.#options.collections;
    const found = (await findKeys(groupAliases, keys, { p: 1, l: 1, lv: 1, end: 1 })) as unknown as Alias[];
    found.forEach(({ _id }) => this.#taken.add(hex(_id)));
    const leading = found.filter(({ end }) => end === null);
    // Their numbers matter only where an event may have two of them, which is rare.
    const compares = this.#options.compares(new Set(leading.map(({ _id }) => hex(_id))));
    const targets = compares ? leading.map((alias) => ({ _id: targetKey(alias), p: alias.p })) : [];
    const rows = (await findKeys(errors, targets, { id: 1 })) as unknown as Target[];
    const numbers = new Map(rows.map(({ _id, id }) => [hex(_id), id]));
    for (const alias of leading) {
      const { l, lv: groupingVersion = IMPORTED_GROUPING_VERSION } = alias;
      const number = numbers.get(hex(targetKey(alias))) ?? Infinity;
      this.#targets.set(hex(alias._id), { groupHash: hex(l), groupingVersion, number });
    }
  }

  /**
   * Stores the aliases that mapped events leave, of keys that have none. This is done before the events, so that no event
   * of another build is missed. Of several gateways that leave the same one, the first decides.
   */
  async keep(left: readonly MappedAlias[]): Promise<void> {
    const { collections, now } = this.#options;
    const documents = left
      .map(({ projectId, groupHash, groupingVersion, target }): GroupAliasDocument => {
        const named = { _id: errorKey(projectId, groupHash), p: projectId, v: groupingVersion };
        const leads = { l: hexBinary(target.groupHash), ...targetVersion(target.groupingVersion) };
        return { ...named, ...leads, o: 'mapped', wk: false, t: now, end: null };
      })
      .sort((a, b) => byId(a._id, b._id));
    await this.#markProjects(documents.map(({ p }) => p));
    const refused = duplicatesIn(
      await collections.groupAliases.insertMany(documents as unknown as Doc[], 'group_aliases.keep'),
    );
    const others = new Set(refused.map((index) => hex(documents[index]?._id as Binary)));
    for (const { projectId, groupHash, target } of left) {
      const key = hex(errorKey(projectId, groupHash));
      if (others.has(key)) continue;
      this.#taken.add(key);
      this.#targets.set(key, { ...target, number: Infinity });
    }
    await this.read(refused.flatMap((index) => documents[index] ?? []));
  }

  /** Lets batches of the projects look for aliases. */
  async #markProjects(ids: readonly number[]): Promise<void> {
    const { collections, projects } = this.#options;
    const unmarked = [...new Set(ids)].filter((id) => projects.get(id)?.aliases !== true).sort((a, b) => a - b);
    if (unmarked.length === 0) return;
    const update = { $set: { aliases: true } };
    const operations = unmarked.map((_id) => ({ filter: { _id }, update, upsert: false }));
    duplicatesIn(await collections.projects.updateEach(operations, 'projects.aliases'));
  }
}

function targetKey({ p, l }: Alias): Binary {
  return errorKey(p, hex(l));
}
