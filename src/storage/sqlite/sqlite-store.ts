import type { AccessLevel } from '../../domain/account.ts';
import type { BatchMark, BatchResult, DigestedBatch, OutcomeCount } from '../../domain/digest.ts';
import type { OwnProtection, OwnProtectionPatch, ProjectProtection } from '../../domain/own-protection.ts';
import type {
  GatewayInfo,
  JournalInfo,
  PruneLimits,
  PruneProgress,
  StoreSize,
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
  Unmerged,
  UserOfEvent,
} from '../../domain/tracked-error.ts';
import type { ClientKey, TrackingSettings, TrackingSettingsPatch } from '../../domain/tracking-settings.ts';
import { countErrors } from './views/error-count.ts';
import { errorById } from './views/error-detail.ts';
import { outdatedGroups } from './views/error-groups.ts';
import { listErrors } from './views/error-list.ts';
import * as events from './views/event-views.ts';
import * as maintenance from './views/maintenance-views.ts';
import * as projects from './views/project-views.ts';
import * as protections from './views/protection-views.ts';
import { filterValues } from './views/filter-values.ts';
import { listReleases } from './views/release-list.ts';
import { SqliteAccountStore } from './sqlite-account-store.ts';
import * as tracking from './views/tracking-views.ts';

/** The embedded store: views on a read connection of its own, writes through an executor. */
export class SqliteStore extends SqliteAccountStore implements Store {
  createProject(project: NewProject): Promise<Project> {
    return this.writer.run('createProject', project);
  }
  projectById(id: number): Promise<Project | null> {
    return this.read(projects.projectById, id);
  }
  projectByPath(path: string): Promise<{ project: Project; moved: boolean } | null> {
    return this.read(projects.projectByPath, path);
  }
  listProjects(): Promise<Project[]> {
    return this.read(projects.listProjects);
  }
  updateProject(id: number, patch: ProjectPatch): Promise<Project | null> {
    return this.writer.run('updateProject', id, patch);
  }
  /** The project is gone with the first transaction; what was stored for it goes in slices, also after a crash. */
  async deleteProject(id: number): Promise<boolean> {
    const existed = await this.writer.run('removeProject', id);
    while (!(await this.writer.run('sweepProject', id))) {
      await new Promise(setImmediate);
    }
    return existed;
  }
  addAlias(aliasId: number, projectId: number): Promise<void> {
    return this.writer.run('addAlias', aliasId, projectId);
  }
  projectForIngest(id: number): Promise<Project | null> {
    return this.read(projects.projectForIngest, id);
  }
  setMember(projectId: number, userId: number, level: AccessLevel): Promise<void> {
    return this.writer.run('setMember', projectId, userId, level);
  }
  removeMember(projectId: number, userId: number): Promise<boolean> {
    return this.writer.run('removeMember', projectId, userId);
  }
  listMembers(projectId: number): Promise<Member[]> {
    return this.read(projects.listMembers, projectId);
  }
  accessLevel(projectId: number, userId: number): Promise<AccessLevel | null> {
    return this.read(projects.accessLevel, projectId, userId);
  }
  projectsOfUser(userId: number): Promise<Project[]> {
    return this.read(projects.projectsOfUser, userId);
  }

  settings(projectId: number): Promise<TrackingSettings | null> {
    return this.read(tracking.settings, projectId);
  }
  saveSettings(projectId: number, patch: TrackingSettingsPatch): Promise<TrackingSettings> {
    return this.writer.run('saveSettings', projectId, patch);
  }
  replaceSealedToken(projectId: number, before: string, after: string): Promise<boolean> {
    return this.writer.run('replaceSealedToken', projectId, before, after);
  }
  protection(projectId: number): Promise<OwnProtection | null> {
    return this.read(protections.protection, projectId);
  }
  saveProtection(projectId: number, patch: OwnProtectionPatch): Promise<OwnProtection> {
    return this.writer.run('saveProtection', projectId, patch);
  }
  listProtections(): Promise<ProjectProtection[]> {
    return this.read(protections.listProtections);
  }
  createKey(projectId: number, publicKey: string): Promise<ClientKey> {
    return this.writer.run('createKey', projectId, publicKey);
  }
  listKeys(projectId: number): Promise<ClientKey[]> {
    return this.read(tracking.listKeys, projectId);
  }
  keyById(projectId: number, keyId: number): Promise<ClientKey | null> {
    return this.read(tracking.keyById, projectId, keyId);
  }
  keyByPublicKey(publicKey: string): Promise<ClientKey | null> {
    return this.read(tracking.keyByPublicKey, publicKey);
  }
  setKeyActive(projectId: number, keyId: number, active: boolean): Promise<ClientKey | null> {
    return this.writer.run('setKeyActive', projectId, keyId, active);
  }
  deleteKey(projectId: number, keyId: number): Promise<ClientKey | null> {
    return this.writer.run('deleteKey', projectId, keyId);
  }
  touchKeys(uses: readonly KeyUse[]): Promise<void> {
    return this.writer.run('touchKeys', uses);
  }
  ensureActiveKey(projectId: number, publicKey: string): Promise<ClientKey | null> {
    return this.writer.run('ensureActiveKey', projectId, publicKey);
  }

  ingestAccess(known: string | null): Promise<IngestAccess | null> {
    return this.read(tracking.ingestAccess, known);
  }

  listErrors(projectId: number, query: ErrorQuery, now: number): Promise<Page<TrackedError>> {
    return this.read(listErrors, projectId, query, now);
  }
  countErrors(projectId: number, status: ErrorStatus, limit: number): Promise<number> {
    return this.read(countErrors, projectId, status, limit);
  }
  errorById(projectId: number, errorId: string, now: number): Promise<TrackedErrorDetail | null> {
    return this.read(errorById, projectId, errorId, now);
  }
  listEvents(
    projectId: number,
    errorId: string,
    limit: number,
    cursor: string | null,
  ): Promise<Page<EventSummary> | null> {
    return this.read(events.listEvents, projectId, errorId, limit, cursor);
  }
  event(projectId: number, errorId: string, eventId: string): Promise<TrackedEvent | null> {
    return this.read(events.event, projectId, errorId, eventId);
  }
  latestEvent(projectId: number, errorId: string): Promise<TrackedEvent | null> {
    return this.read(events.latestEvent, projectId, errorId);
  }
  newestUsers(projectId: number, errorId: string): Promise<UserOfEvent[] | null> {
    return this.read(events.newestUsers, projectId, errorId);
  }
  mergeErrors(projectId: number, errorIds: readonly string[]): Promise<string | null> {
    return this.writer.run('mergeErrors', projectId, errorIds);
  }
  unmergeErrors(projectId: number, errorId: string, errorIds: readonly string[] | null): Promise<Unmerged | null> {
    return this.writer.run('unmergeErrors', projectId, errorId, errorIds);
  }
  /** Looks without a transaction first: mostly there is nothing to do. */
  async rollUpMerged(): Promise<number> {
    const outdated = await this.read(outdatedGroups);
    return outdated.length === 0 ? 0 : this.writer.run('rollUpMerged');
  }
  setErrorStatus(projectId: number, errorId: string, status: ErrorStatus, now: number): Promise<boolean> {
    return this.writer.run('setErrorStatus', projectId, errorId, status, now);
  }
  listOutcomes(projectId: number, since: number, until: number): Promise<OutcomeCount[]> {
    return this.read(maintenance.listOutcomes, projectId, since, until);
  }
  listReleases(projectId: number, query: ReleaseQuery, now: number): Promise<Page<ReleaseHealth>> {
    return this.read(listReleases, projectId, query, now);
  }
  filterValues(projectId: number): Promise<FilterValues> {
    return this.read(filterValues, projectId);
  }

  lastBatch(journalId: string): Promise<number> {
    return this.read(maintenance.lastBatch, journalId);
  }
  applyBatch(mark: BatchMark, batch: DigestedBatch): Promise<BatchResult> {
    return this.writer.run('applyBatch', mark, batch);
  }
  completeBatch(mark: BatchMark): Promise<BatchResult | null> {
    return this.writer.run('completeBatch', mark);
  }

  ping(): Promise<void> {
    return this.read(maintenance.ping);
  }
  stats(): Promise<StoreStats> {
    return this.read(maintenance.stats);
  }
  size(): Promise<StoreSize> {
    return this.read(maintenance.size);
  }
  prune(limits: PruneLimits): Promise<PruneProgress> {
    return this.writer.run('prune', limits);
  }
  getMeta(key: string): Promise<string | null> {
    return this.read(maintenance.getMeta, key);
  }
  initMeta(key: string, value: string): Promise<string> {
    return this.writer.run('initMeta', key, value);
  }
  setMeta(key: string, value: string): Promise<void> {
    return this.writer.run('setMeta', key, value);
  }
  acquireLease(name: string, owner: string, ttlMs: number): Promise<boolean> {
    return this.writer.run('acquireLease', name, owner, ttlMs);
  }
  releaseLease(name: string, owner: string): Promise<void> {
    return this.writer.run('releaseLease', name, owner);
  }
  async announceGateway(): Promise<void> {
    // The lock on the data dir says who lives.
  }
  async retireGateway(): Promise<void> {
    // As above.
  }
  async listGateways(): Promise<GatewayInfo[]> {
    return [];
  }
  async listJournals(): Promise<JournalInfo[]> {
    return [];
  }
  async releaseJournal(): Promise<void> {
    // Nobody lists it, and its last number still guards against a copy of it.
  }
}
