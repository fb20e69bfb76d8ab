import type { StoreTable } from '../store-table.ts';
import * as accountCommands from './commands/account-commands.ts';
import { setErrorStatus } from './commands/error-commands.ts';
import { announceGateway, retireGateway } from './commands/gateway-commands.ts';
import { changesIngest } from './commands/ingest-version.ts';
import * as metaCommands from './commands/meta-commands.ts';
import * as projectCommands from './commands/project-commands.ts';
import { saveProtection } from './commands/protection-commands.ts';
import type { PruneWalk } from './commands/prune-walk.ts';
import { prune } from './commands/prune.ts';
import { deleteWholeProject } from './commands/remove-project.ts';
import * as trackingCommands from './commands/tracking-commands.ts';
import * as sessionCommands from './commands/web-session-commands.ts';
import type { MongoContext } from './context.ts';
import { acquireLease, releaseLease } from './lease.ts';
import type { LiveBatches } from './live-batches.ts';
import type { MongoMerges } from './merge/mongo-merges.ts';
import { forgetting, remembering, type RecentReads } from './recent-reads.ts';
import * as accounts from './views/account-views.ts';
import { countErrors } from './views/error-count.ts';
import { errorById } from './views/error-detail.ts';
import { listErrors } from './views/error-list.ts';
import * as events from './views/event-views.ts';
import { filterValues } from './views/filter-values.ts';
import { listGateways } from './views/gateway-views.ts';
import { ingestAccess } from './views/ingest-views.ts';
import * as maintenance from './views/maintenance-views.ts';
import * as projects from './views/project-views.ts';
import * as protections from './views/protection-views.ts';
import { listReleases } from './views/release-list.ts';
import { size } from './views/store-size.ts';
import * as tracking from './views/tracking-views.ts';
import * as sessions from './views/web-session-views.ts';

/** What methods work on: the connection, and what one store keeps between two calls. */
export interface MethodContext extends MongoContext {
  readonly recent: RecentReads;
  readonly batches: LiveBatches;
  readonly merges: MongoMerges;
  readonly pruning: PruneWalk;
}

/** Every method of the store, by its name in the port, except for `close`. */
export const METHODS = {
  createUser: accountCommands.createUser,
  userById: accounts.userById,
  userByName: accounts.userByName,
  passwordHash: accounts.passwordHash,
  setPasswordHash: accountCommands.setPasswordHash,
  setUserBlocked: accountCommands.setUserBlocked,
  updateUser: accountCommands.updateUser,
  listUsers: accounts.listUsers,
  createToken: accountCommands.createToken,
  tokenByHash: accounts.tokenByHash,
  tokenById: accounts.tokenById,
  listTokens: accounts.listTokens,
  revokeToken: accountCommands.revokeToken,
  touchToken: accountCommands.touchToken,

  credentials: sessions.credentials,
  createSession: sessionCommands.createSession,
  sessionByHash: sessions.sessionByHash,
  touchSession: sessionCommands.touchSession,
  endSession: sessionCommands.endSession,
  endSessionsOfUser: sessionCommands.endSessionsOfUser,

  createProject: projectCommands.createProject,
  projectById: remembering('project', projects.projectById),
  projectByPath: projects.projectByPath,
  listProjects: projects.listProjects,
  updateProject: forgetting(projectCommands.updateProject),
  deleteProject: forgetting(changesIngest(deleteWholeProject)),
  addAlias: changesIngest(projectCommands.addAlias),
  projectForIngest: projects.projectForIngest,
  setMember: forgetting(projectCommands.setMember),
  removeMember: forgetting(projectCommands.removeMember),
  listMembers: projects.listMembers,
  accessLevel: remembering('role', projects.accessLevel),
  projectsOfUser: projects.projectsOfUser,

  settings: remembering('settings', tracking.settings),
  saveSettings: forgetting(changesIngest(trackingCommands.saveSettings)),
  replaceSealedToken: forgetting(trackingCommands.replaceSealedToken),
  protection: protections.protection,
  saveProtection: changesIngest(saveProtection),
  listProtections: protections.listProtections,
  createKey: changesIngest(trackingCommands.createKey),
  listKeys: tracking.listKeys,
  keyById: tracking.keyById,
  keyByPublicKey: tracking.keyByPublicKey,
  setKeyActive: changesIngest(trackingCommands.setKeyActive),
  deleteKey: changesIngest(trackingCommands.deleteKey),
  touchKeys: trackingCommands.touchKeys,
  ensureActiveKey: changesIngest(trackingCommands.ensureActiveKey),
  ingestAccess,

  listErrors,
  countErrors,
  errorById,
  listEvents: events.listEvents,
  event: events.event,
  latestEvent: events.latestEvent,
  newestUsers: events.newestUsers,
  setErrorStatus,
  mergeErrors: ({ merges }, ...ids) => merges.merge(...ids),
  unmergeErrors: ({ merges }, ...ids) => merges.unmerge(...ids),
  rollUpMerged: ({ merges }) => merges.rollUpAll(),
  listOutcomes: maintenance.listOutcomes,
  listReleases,
  filterValues,

  lastBatch: ({ batches }, journalId) => batches.open().lastBatch(journalId),
  applyBatch: ({ batches }, mark, batch) => batches.open().applyBatch(mark, batch),
  completeBatch: ({ batches }, mark) => batches.open().completeBatch(mark),

  ping: maintenance.ping,
  stats: maintenance.stats,
  size,
  prune: (context, limits) => prune(context, context.pruning, limits),
  getMeta: maintenance.getMeta,
  initMeta: metaCommands.initMeta,
  setMeta: metaCommands.setMeta,
  acquireLease,
  releaseLease,
  listJournals: maintenance.listJournals,
  announceGateway,
  retireGateway,
  listGateways,
  releaseJournal: async ({ batches }, journalId) => {
    await batches.open().release(journalId);
  },
} as const satisfies StoreTable<MethodContext>;
