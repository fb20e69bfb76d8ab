import PQueue from 'p-queue';
import { AppError } from '../../domain/app-error.ts';
import type { AliasResult, NewAlias } from '../../domain/imports/import.ts';
import type { TrackedErrorDetail } from '../../domain/errors/tracked-error.ts';
import type { ProjectContext } from '../project-context.ts';
import { letWait } from '../state/project-state.ts';

/** Error of an issue, with what decides which of two issues owns a group key. */
export interface Claimant {
  readonly errorId: string;
  readonly issueId: string;
  readonly status: string;
  readonly lastSeen: number;
  readonly count: number;
}

/** `ended`: a person separated the errors, so it is left. `conflict`: another issue owns the group key. */
type AliasEnd = 'added' | 'kept' | 'ended' | 'absent' | 'conflict' | 'taken_over';

export interface Joined {
  /** True: at least one alias leads to the error, or an error of this store was merged with it. */
  readonly joined: boolean;
  /** True: that is new, no alias led to the error before. */
  readonly added: boolean;
  /** True: another issue owns a group key of this one. */
  readonly conflict: boolean;
  /** Errors of other issues from which a key was taken; they stay as history. */
  readonly tookFrom: readonly string[];
}

const STATUS_ORDER = ['resolved', 'ignored', 'unresolved'];

/** Positive when `a` owns a key that both have: unresolved, else ignored, else seen last, else the greater count. */
export function compareClaims(a: Omit<Claimant, 'issueId'>, b: Omit<Claimant, 'issueId'>): number {
  return (
    STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) ||
    a.lastSeen - b.lastSeen ||
    a.count - b.count ||
    Number(b.errorId) - Number(a.errorId)
  );
}

/** Leads live events to imported errors. Decides one error after another, because conflicts concern two of them. */
export class Joiner {
  readonly #context: ProjectContext;
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(context: ProjectContext) {
    this.#context = context;
  }

  /**
   * Adds aliases of an issue's error. `mayTakeOver`: a better claim takes a key from another issue; not in later passes,
   * so that a repeated import changes nothing.
   */
  join(claimant: Claimant, aliases: readonly NewAlias[], mayTakeOver: boolean): Promise<Joined> {
    return this.#queue.add(() => this.#join(claimant, aliases, mayTakeOver));
  }

  async #join(claimant: Claimant, aliases: readonly NewAlias[], mayTakeOver: boolean): Promise<Joined> {
    const { deps, projectId } = this.#context;
    if (aliases.length === 0) return { joined: false, added: false, conflict: false, tookFrom: [] };
    const results = await deps.store.addAliases(projectId, claimant.errorId, aliases, deps.clock.now());
    let [joined, added, kept, conflict] = [false, false, false, false];
    const tookFrom: string[] = [];
    for (const [index, alias] of aliases.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      const end = await this.#decide(claimant, alias, result, mayTakeOver);
      if (end === 'taken_over' && 'errorId' in result) tookFrom.push(result.errorId);
      joined ||= end === 'added' || end === 'kept' || end === 'taken_over';
      added ||= end === 'added';
      kept ||= end === 'kept';
      conflict ||= end === 'conflict';
    }
    return { joined, added: added && !kept, conflict, tookFrom };
  }

  async #decide(claimant: Claimant, alias: NewAlias, result: AliasResult, mayTakeOver: boolean): Promise<AliasEnd> {
    if (!('errorId' in result)) return result.kind;
    const { deps, projectId, options } = this.#context;
    const { kind, errorId: otherId } = result;
    const [mine, other] = await Promise.all([this.#error(claimant.errorId), this.#error(otherId)]);
    if (mine === null || other === null) return 'conflict';
    if (mine.id === other.id) return 'kept';
    if (kind === 'own_error' && (await deps.store.importedOrigin(projectId, other.id)) === null) {
      return (await this.merge(claimant, other.id)) ? 'added' : 'conflict';
    }
    if (alias.weak) return 'conflict';
    if (options.onConflict === 'merge') return (await this.merge(claimant, other.id)) ? 'added' : 'conflict';
    if (kind !== 'taken' || !mayTakeOver || compareClaims(claimant, { ...other, errorId: other.id }) <= 0) {
      return 'conflict';
    }
    const better = { ...alias, takesOver: true } as const;
    const [again] = await deps.store.addAliases(projectId, claimant.errorId, [better], deps.clock.now());
    return again?.kind === 'added' ? 'taken_over' : 'conflict';
  }

  /** Merges an error of this store with that of an issue. False: it cannot be merged, and is listed. */
  async merge(
    { errorId, issueId }: { readonly errorId: string; readonly issueId: string | null },
    otherId: string,
  ): Promise<boolean> {
    const { deps, projectId, state } = this.#context;
    try {
      if ((await deps.store.mergeErrors(projectId, [errorId, otherId])) === null) return false;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
      this.#context.leaveOut(
        `join of issue ${issueId ?? errorId}`,
        `it cannot be merged with error ${otherId}: ${error.message}`,
      );
      return false;
    }
    // What the tracker knows of the error's own events has changed.
    if (issueId !== null) letWait(state, issueId);
    return true;
  }

  #error(errorId: string): Promise<TrackedErrorDetail | null> {
    const { deps, projectId } = this.#context;
    return deps.store.errorById(projectId, errorId, deps.clock.now());
  }
}
