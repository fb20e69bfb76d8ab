import type { AccessLevel } from '../../domain/account.ts';
import type { BatchMark, BatchResult, DigestedBatch, OutcomeCount } from '../../domain/digest.ts';
import type { OwnProtection, OwnProtectionPatch, ProjectProtection } from '../../domain/own-protection.ts';
import type {
  GatewayInfo,
  JournalInfo,
  PruneLimits,
  PruneProgress,
  StoreStats,
} from '../../domain/ports/maintenance-store.ts';
import type { Store } from '../../domain/ports/store.ts';
import type { IngestAccess, KeyUse } from '../../domain/ports/tracking-store.ts';
import type { Member, NewProject, Project, ProjectPatch } from '../../domain/project.ts';
import type { ReleaseHealth, ReleaseQuery } from '../../domain/session.ts';
import type {
  ErrorQuery,
  ErrorStatus,
  EventSummary,
  FilterValues,
  Page,
  TrackedError,
  TrackedErrorDetail,
  TrackedEvent,
  UserOfEvent,
} from '../../domain/tracked-error.ts';
import type { ClientKey, TrackingSettings, TrackingSettingsPatch } from '../../domain/tracking-settings.ts';
import { announceGateway, retireGateway } from './commands/gateway-commands.ts';
import { setErrorStatus } from './commands/error-commands.ts';
import { changesIngest } from './commands/ingest-version.ts';
import * as metaCommands from './commands/meta-commands.ts';
import * as projectCommands from './commands/project-commands.ts';
import * as protectionCommands from './commands/protection-commands.ts';
import { Pruner } from './commands/prune.ts';
import { deleteWholeProject } from './commands/remove-project.ts';
import * as trackingCommands from './commands/tracking-commands.ts';
import type { MongoContext } from './context.ts';
import { acquireLease, releaseLease } from './lease.ts';
import { batchCollections } from './batch/mongo-collections.ts';
import { LiveBatches } from './live-batches.ts';
import { MongoMerges } from './merge/mongo-merges.ts';
import { MongoAccountStore } from './mongo-account-store.ts';
import { RecentReads } from './recent-reads.ts';
import { countErrors } from './views/error-count.ts';
import { errorById } from './views/error-detail.ts';
import { listErrors } from './views/error-list.ts';
import * as events from './views/event-views.ts';
import { listGateways } from './views/gateway-views.ts';
import { ingestAccess } from './views/ingest-views.ts';
import * as maintenance from './views/maintenance-views.ts';
import { size } from './views/store-size.ts';
import * as projects from './views/project-views.ts';
import * as protections from './views/protection-views.ts';
import { filterValues } from './views/filter-values.ts';
import { listReleases } from './views/release-list.ts';
import * as tracking from './views/tracking-views.ts';

export interface MongoStoreOptions {
  /** Hosts of the store, for messages. */
  readonly hosts: string;
  /** The folder with the journals whose batches this store takes: their plans stand beside them. */
  readonly dataDir: string;
  /** Milliseconds that projects, roles and settings may be old when another process changes them. Default 0. */
  readonly maxAgeMs?: number;
}

const addAlias = changesIngest(projectCommands.addAlias);
const saveSettings = changesIngest(trackingCommands.saveSettings);
const saveProtection = changesIngest(protectionCommands.saveProtection);
const createKey = changesIngest(trackingCommands.createKey);
const setKeyActive = changesIngest(trackingCommands.setKeyActive);
const deleteKey = changesIngest(trackingCommands.deleteKey);
const ensureActiveKey = changesIngest(trackingCommands.ensureActiveKey);
const deleteProject = changesIngest(deleteWholeProject);

/** The store for more than one machine. */
export class MongoStore extends MongoAccountStore implements Store {
  readonly #pruner = new Pruner();
  readonly #recent: RecentReads;
  readonly #batches: LiveBatches;
  readonly #merges: MongoMerges;

  /** The context comes from `openContext`; the store closes its connection. */
  constructor(context: MongoContext, { hosts, dataDir, maxAgeMs = 0 }: MongoStoreOptions) {
    super(context, hosts);
    this.#batches = new LiveBatches(context, dataDir);
    this.#merges = new MongoMerges(batchCollections(context.connection), context.now);
    this.#recent = new RecentReads({ now: context.now, maxAgeMs });
  }

  createProject(project: NewProject): Promise<Project> {
    return this.run(projectCommands.createProject, project);
  }
  projectById(id: number): Promise<Project | null> {
    return this.#recent.read(`project ${id}`, () => this.run(projects.projectById, id));
  }
  projectByPath(path: string): Promise<{ project: Project; moved: boolean } | null> {
    return this.run(projects.projectByPath, path);
  }
  listProjects(): Promise<Project[]> {
    return this.run(projects.listProjects);
  }
  updateProject(id: number, patch: ProjectPatch): Promise<Project | null> {
    return this.#recent.after(this.run(projectCommands.updateProject, id, patch));
  }
  deleteProject(id: number): Promise<boolean> {
    return this.#recent.after(this.run(deleteProject, id));
  }
  addAlias(aliasId: number, projectId: number): Promise<void> {
    return this.run(addAlias, aliasId, projectId);
  }
  projectForIngest(id: number): Promise<Project | null> {
    return this.run(projects.projectForIngest, id);
  }
  setMember(projectId: number, userId: number, level: AccessLevel): Promise<void> {
    return this.#recent.after(this.run(projectCommands.setMember, projectId, userId, level));
  }
  removeMember(projectId: number, userId: number): Promise<boolean> {
    return this.#recent.after(this.run(projectCommands.removeMember, projectId, userId));
  }
  listMembers(projectId: number): Promise<Member[]> {
    return this.run(projects.listMembers, projectId);
  }
  accessLevel(projectId: number, userId: number): Promise<AccessLevel | null> {
    return this.#recent.read(`role ${projectId} ${userId}`, () => this.run(projects.accessLevel, projectId, userId));
  }
  projectsOfUser(userId: number): Promise<Project[]> {
    return this.run(projects.projectsOfUser, userId);
  }

  settings(projectId: number): Promise<TrackingSettings | null> {
    return this.#recent.read(`settings ${projectId}`, () => this.run(tracking.settings, projectId));
  }
  saveSettings(projectId: number, patch: TrackingSettingsPatch): Promise<TrackingSettings> {
    return this.#recent.after(this.run(saveSettings, projectId, patch));
  }
  replaceSealedToken(projectId: number, before: string, after: string): Promise<boolean> {
    return this.#recent.after(this.run(trackingCommands.replaceSealedToken, projectId, before, after));
  }
  protection(projectId: number): Promise<OwnProtection | null> {
    return this.run(protections.protection, projectId);
  }
  saveProtection(projectId: number, patch: OwnProtectionPatch): Promise<OwnProtection> {
    return this.run(saveProtection, projectId, patch);
  }
  listProtections(): Promise<ProjectProtection[]> {
    return this.run(protections.listProtections);
  }
  createKey(projectId: number, publicKey: string): Promise<ClientKey> {
    return this.run(createKey, projectId, publicKey);
  }
  listKeys(projectId: number): Promise<ClientKey[]> {
    return this.run(tracking.listKeys, projectId);
  }
  keyById(projectId: number, keyId: number): Promise<ClientKey | null> {
    return this.run(tracking.keyById, projectId, keyId);
  }
  keyByPublicKey(publicKey: string): Promise<ClientKey | null> {
    return this.run(tracking.keyByPublicKey, publicKey);
  }
  setKeyActive(projectId: number, keyId: number, active: boolean): Promise<ClientKey | null> {
    return this.run(setKeyActive, projectId, keyId, active);
  }
  deleteKey(projectId: number, keyId: number): Promise<ClientKey | null> {
    return this.run(deleteKey, projectId, keyId);
  }
  touchKeys(uses: readonly KeyUse[]): Promise<void> {
    return this.run(trackingCommands.touchKeys, uses);
  }
  ensureActiveKey(projectId: number, publicKey: string): Promise<ClientKey | null> {
    return this.run(ensureActiveKey, projectId, publicKey);
  }

  ingestAccess(known: string | null): Promise<IngestAccess | null> {
    return this.run(ingestAccess, known);
  }

  listErrors(projectId: number, query: ErrorQuery, now: number): Promise<Page<TrackedError>> {
    return this.run(listErrors, projectId, query, now);
  }
  countErrors(projectId: number, status: ErrorStatus, limit: number): Promise<number> {
    return this.run(countErrors, projectId, status, limit);
  }
  errorById(projectId: number, errorId: string, now: number): Promise<TrackedErrorDetail | null> {
    return this.run(errorById, projectId, errorId, now);
  }
  listEvents(
    projectId: number,
    errorId: string,
    limit: number,
    cursor: string | null,
  ): Promise<Page<EventSummary> | null> {
    return this.run(events.listEvents, projectId, errorId, limit, cursor);
  }
  event(projectId: number, errorId: string, eventId: string): Promise<TrackedEvent | null> {
    return this.run(events.event, projectId, errorId, eventId);
  }
  latestEvent(projectId: number, errorId: string): Promise<TrackedEvent | null> {
    return this.run(events.latestEvent, projectId, errorId);
  }
  newestUsers(projectId: number, errorId: string): Promise<UserOfEvent[] | null> {
    return this.run(events.newestUsers, projectId, errorId);
  }
  setErrorStatus: Store['setErrorStatus'] = (...change) => this.run(setErrorStatus, ...change);
  mergeErrors: Store['mergeErrors'] = (...ids) => this.run(async () => this.#merges.merge(...ids));
  unmergeErrors: Store['unmergeErrors'] = (...ids) => this.run(async () => this.#merges.unmerge(...ids));
  rollUpMerged: Store['rollUpMerged'] = () => this.run(async () => this.#merges.rollUpAll());
  listOutcomes(projectId: number, since: number, until: number): Promise<OutcomeCount[]> {
    return this.run(maintenance.listOutcomes, projectId, since, until);
  }
  listReleases(projectId: number, query: ReleaseQuery, now: number): Promise<Page<ReleaseHealth>> {
    return this.run(listReleases, projectId, query, now);
  }
  filterValues(projectId: number): Promise<FilterValues> {
    return this.run(filterValues, projectId);
  }

  lastBatch(journalId: string): Promise<number> {
    return this.run(async () => this.#batches.open().lastBatch(journalId));
  }
  applyBatch(mark: BatchMark, batch: DigestedBatch): Promise<BatchResult> {
    return this.run(async () => this.#batches.open().applyBatch(mark, batch));
  }
  completeBatch(mark: BatchMark): Promise<BatchResult | null> {
    return this.run(async () => this.#batches.open().completeBatch(mark));
  }

  ping(): Promise<void> {
    return this.run(maintenance.ping);
  }
  stats(): Promise<StoreStats> {
    return this.run(maintenance.stats);
  }
  size: Store['size'] = () => this.run(size);
  prune(limits: PruneLimits): Promise<PruneProgress> {
    return this.run((context) => this.#pruner.prune(context, limits));
  }
  getMeta(key: string): Promise<string | null> {
    return this.run(maintenance.getMeta, key);
  }
  initMeta(key: string, value: string): Promise<string> {
    return this.run(metaCommands.initMeta, key, value);
  }
  setMeta(key: string, value: string): Promise<void> {
    return this.run(metaCommands.setMeta, key, value);
  }
  acquireLease(name: string, owner: string, ttlMs: number): Promise<boolean> {
    return this.run(acquireLease, name, owner, ttlMs);
  }
  releaseLease(name: string, owner: string): Promise<void> {
    return this.run(releaseLease, name, owner);
  }
  announceGateway(gatewayId: string, version: string): Promise<void> {
    return this.run(announceGateway, gatewayId, version);
  }
  retireGateway(gatewayId: string): Promise<void> {
    return this.run(retireGateway, gatewayId);
  }
  listGateways(): Promise<GatewayInfo[]> {
    return this.run(listGateways);
  }
  listJournals(): Promise<JournalInfo[]> {
    return this.run(maintenance.listJournals);
  }
  releaseJournal(journalId: string): Promise<void> {
    return this.run(async () => {
      await this.#batches.open().release(journalId);
    });
  }
  close(): Promise<void> {
    return this.end(() => this.#batches.rest());
  }
}
