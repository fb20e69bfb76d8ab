import type { PendingMessage } from '../../domain/alerts/alert-delivery.ts';
import type { AlertFact } from '../../domain/alerts/alert-fact.ts';
import {
  type AlertMessage,
  type FactCounts,
  MAX_NAMED_ERRORS,
  NO_FACTS,
  type NamedError,
  type ProjectPart,
} from '../../domain/alerts/alert-message.ts';
import { LEVELS } from '../../domain/events/event.ts';
import type { ErrorState } from '../../domain/ports/stores/alert-store.ts';
import type { TrackedErrorDetail, TrackedError } from '../../domain/errors/tracked-error.ts';
import type { ProjectAudience } from '../routing/audience.ts';
import { FactRuns } from './fact-runs.ts';
import type { AlertLinks } from './links.ts';

/** Maximum releases that are counted per project; of a message with more the release may be missing. */
const MAX_RELEASES = 100;

type Counts = { -readonly [K in keyof FactCounts]: FactCounts[K] };

interface Candidate {
  readonly fact: AlertFact;
  readonly audience: ProjectAudience;
  readonly levelRank: number;
  readonly users: number;
  readonly events: number;
}

interface PartDraft {
  readonly audience: ProjectAudience;
  readonly counts: Counts;
  readonly releases: Map<string, number>;
  facts: number;
  oldestError: number;
  newestError: number;
  lastSeen: number;
}

/** What a draft reads when it is written. */
export interface DraftParts {
  readonly id: string;
  readonly now: number;
  readonly links: AlertLinks;
  readonly detail: (audience: ProjectAudience, errorId: string) => Promise<TrackedErrorDetail | null>;
}

export interface WrittenMessage {
  readonly message: AlertMessage;
  readonly facts: PendingMessage['facts'];
}

/** Message while its facts are added one by one: sums, and only the loudest errors. */
export class MessageDraft {
  readonly #parts = new Map<number, PartDraft>();
  readonly #runs = new FactRuns();
  #loudest: Candidate[] = [];
  #since = Infinity;
  #until = -Infinity;

  /** Adds a fact. `state` null: not known, as in external trackers. */
  add(fact: AlertFact, state: ErrorState | null, audience: ProjectAudience): void {
    this.#runs.add(fact.seq);
    this.#since = Math.min(this.#since, fact.at);
    this.#until = Math.max(this.#until, fact.at);
    const part = this.#part(audience);
    part.facts += 1;
    part.counts[fact.kind] += 1;
    if (fact.release !== null && (part.releases.has(fact.release) || part.releases.size < MAX_RELEASES)) {
      part.releases.set(fact.release, (part.releases.get(fact.release) ?? 0) + 1);
    }
    part.oldestError = Math.min(part.oldestError, state?.firstSeen ?? fact.at);
    part.newestError = Math.max(part.newestError, state?.firstSeen ?? fact.at);
    part.lastSeen = Math.min(part.lastSeen, state?.lastSeen ?? fact.at);
    this.#consider({
      fact,
      audience,
      levelRank: LEVELS.indexOf(state?.level ?? fact.level ?? 'error'),
      users: state?.users ?? 0,
      events: state?.events ?? 0,
    });
  }

  /** Leaves out a fact of a project that the destination belongs to. */
  leaveOut(): void {
    this.#runs.break();
  }

  /** Returns the message; null: it would report nothing. */
  async write({ id, now, links, detail }: DraftParts): Promise<WrittenMessage | null> {
    if (this.#parts.size === 0) return null;
    const named = await Promise.all(
      this.#loudest.map(async ({ fact, audience }) => {
        const error = await detail(audience, fact.errorId);
        const url = links.error(audience.project, fact.errorId);
        return { projectId: audience.project.id, named: error === null ? null : nameError(fact, error, url) };
      }),
    );
    const parts = [...this.#parts.values()].map((part): ProjectPart => {
      const { project } = part.audience;
      const errors = named.filter(({ projectId }) => projectId === project.id).map((entry) => entry.named);
      return {
        project: { id: project.id, path: project.path, name: project.name },
        counts: part.counts,
        release: mainRelease(part),
        errors: errors.filter((error) => error !== null),
        url: links.list(project, timesOf(part)),
      };
    });
    const message = {
      id,
      kind: 'facts' as const,
      createdAt: now,
      since: this.#since,
      until: this.#until,
      parts,
      note: '',
    };
    return { message, facts: this.#runs.all };
  }

  #part(audience: ProjectAudience): PartDraft {
    const { id } = audience.project;
    let part = this.#parts.get(id);
    if (part === undefined) {
      part = {
        audience,
        counts: { ...NO_FACTS },
        releases: new Map(),
        facts: 0,
        oldestError: Infinity,
        newestError: -Infinity,
        lastSeen: Infinity,
      };
      this.#parts.set(id, part);
    }
    return part;
  }

  /** Keeps the loudest errors, each once with its first fact. */
  #consider(candidate: Candidate): void {
    const last = this.#loudest.at(-1);
    if (this.#loudest.length >= MAX_NAMED_ERRORS && last !== undefined && louder(candidate, last) >= 0) return;
    const { fact } = candidate;
    const isSame = (other: AlertFact): boolean => other.projectId === fact.projectId && other.errorId === fact.errorId;
    if (this.#loudest.some((other) => isSame(other.fact))) return;
    this.#loudest = [...this.#loudest, candidate].sort(louder).slice(0, MAX_NAMED_ERRORS);
  }
}

/** Orders by level, users, events, and then as the facts came. */
function louder(a: Candidate, b: Candidate): number {
  return a.levelRank - b.levelRank || b.users - a.users || b.events - a.events || a.fact.seq - b.fact.seq;
}

/** Returns the release of more than half of the facts. */
function mainRelease({ releases, facts }: PartDraft): string | null {
  return [...releases].find(([, count]) => count * 2 > facts)?.[0] ?? null;
}

function timesOf({ audience, counts, facts, oldestError, newestError, lastSeen }: PartDraft) {
  // External trackers have no such filters.
  if (!audience.integrated) return null;
  return { firstSeen: counts.new === facts ? ([oldestError, newestError] as const) : null, lastSeen };
}

/** Members of the details of an error that lists do not have; messages do without them. */
const DETAILS = [
  'merged',
  'mergedInto',
  'frequency30d',
  'tags',
  'environments',
  'releases',
  'imported',
  'staleSince',
  'incomplete',
] as const satisfies readonly Exclude<keyof TrackedErrorDetail, keyof TrackedError>[];

/** Names an error with the text of the event that caused the fact, which may not be the newest. */
function nameError(fact: AlertFact, detail: TrackedErrorDetail, url: string): NamedError {
  const { kind, cause, at, release, environment, type, title, message, culprit, level } = fact;
  const hidden: readonly string[] = DETAILS;
  const shown = Object.fromEntries(Object.entries(detail).filter(([name]) => !hidden.includes(name)));
  const error = { ...(shown as unknown as TrackedError), type, title, message, culprit, level: level ?? detail.level };
  return { fact: kind, cause, at, release, environment, error, url };
}
