import type { Records } from '../records/records.ts';
import type { StoreTable } from '../store-table.ts';
import * as busy from './alerts/busy-errors.ts';
import * as deliveries from './alerts/deliveries.ts';
import * as factCommands from './alerts/fact-commands.ts';
import type { FactLog } from './alerts/fact-log.ts';
import * as factViews from './alerts/fact-views.ts';
import { setErrorStatus } from './status/error-commands.ts';
import { listForwardStates, saveForwardState } from './projects/forward-states.ts';
import * as triageCommands from './status/triage-commands.ts';
import * as maintenanceCommands from './instance/maintenance-commands.ts';
import { bumpsIngestVersion } from './engine/ingest-version.ts';
import { replaceGrantedRoles } from './status/granted-role-commands.ts';
import { removeMember, setMember } from './status/member-commands.ts';
import * as groupCommands from './status/group-commands.ts';
import * as moves from './status/move-commands.ts';
import * as projectCommands from './projects/project-commands.ts';
import * as trackingCommands from './projects/tracking-commands.ts';
import type { PruneWalk } from './blocks/prune-walk.ts';
import { prune } from './retention/prune.ts';
import { deleteWholeProject } from './retention/remove-project.ts';
import type { MongoContext } from './engine/context.ts';
import { setBase } from './imports/base-counts.ts';
import * as aliases from './imports/group-aliases.ts';
import * as sources from './imports/import-sources.ts';
import { missingIssues, putImportedError } from './imports/imported-errors.ts';
import * as history from './imports/imported-history.ts';
import { knownThere, markKnownThere } from './imports/known-marks.ts';
import { unknownThere } from './imports/unknown-there.ts';
import * as linkedIssues from './links/linked-issues.ts';
import * as savedViews from './links/saved-views.ts';
import { setErrorStatuses } from './status/bulk-status.ts';
import * as deletions from './retention/delete-errors.ts';
import { setAssignees } from './status/bulk-assignees.ts';
import { errorsThatMatter } from './lists/errors-that-matter.ts';
import { rankErrors } from './lists/rank-errors.ts';
import { resolveInRelease } from './status/resolve-in-release.ts';
import { reviewErrors } from './status/review-commands.ts';
import { matchingErrors } from './search/matching-errors.ts';
import { countTabs } from './search/tab-counts.ts';
import type { LiveBatches } from './live-batches.ts';
import type { MongoMerges } from './merging/mongo-merges.ts';
import { clearsReadCache, cachedRead, type ReadCache } from './engine/read-cache.ts';
import * as accounts from './accounts/account-views.ts';
import { listErrors } from './lists/error-list.ts';
import { errorById } from './lists/error-detail.ts';
import { unknownErrors } from './errors/error-groups.ts';
import { reportsOfEvents } from './events/event-reports.ts';
import { listReports } from './events/report-list.ts';
import * as events from './events/event-views.ts';
import { filterValues, releaseNames } from './overview/filter-values.ts';
import * as tags from './overview/tag-names.ts';
import { findByExternalId, importedOrigin } from './errors/import-views.ts';
import * as maintenance from './instance/maintenance-views.ts';
import * as files from './files/file-area.ts';
import * as tracking from './projects/tracking-views.ts';
import * as triage from './status/triage-views.ts';
import * as projects from './projects/project-views.ts';
import * as roles from './projects/roles.ts';
import { projectAccess } from './projects/project-access.ts';
import { projectNews } from './overview/project-news.ts';
import { releaseByName } from './releases/release-detail.ts';
import { releaseErrors, resolvedInCommit, resolvedInRelease } from './releases/release-errors.ts';
import { listReleases } from './releases/release-list.ts';

/** Context of methods: the connection, and the state a store keeps between calls. */
export interface MethodContext extends MongoContext {
  readonly recent: ReadCache;
  readonly batches: LiveBatches;
  readonly merges: MongoMerges;
  readonly pruning: PruneWalk;
  readonly facts: FactLog;
  readonly records: Records;
}

/** A page asks for roles in several projects. */
const recentGroupRoles = cachedRead('group roles', roles.groupRoles);

/** Methods of the store by name in the port, except `close`. */
export const METHODS = {
  tokenByHash: accounts.tokenByHash,

  sessionByHash: accounts.sessionByHash,

  createProject: projectCommands.createProject,
  projectById: cachedRead('project', projects.projectById),
  projectByPath: projects.projectByPath,
  formerPathsIn: projects.formerPathsIn,
  listProjects: projects.listProjects,
  updateProject: clearsReadCache(moves.updateProject),
  moveGroup: clearsReadCache(moves.moveGroup),
  deleteGroup: clearsReadCache(groupCommands.deleteGroup),
  setGroupMember: clearsReadCache(groupCommands.setGroupMember),
  removeGroupMember: clearsReadCache(groupCommands.removeGroupMember),
  listGroupMembers: roles.listGroupMembers,
  groupRoles: recentGroupRoles,
  projectsBelow: roles.projectsBelow,
  deleteProject: clearsReadCache(bumpsIngestVersion(deleteWholeProject)),
  setMember: clearsReadCache(setMember),
  removeMember: clearsReadCache(removeMember),
  replaceGrantedRoles: clearsReadCache(replaceGrantedRoles),
  listMembers: roles.listMembers,
  accessLevel: cachedRead('role', (context: MethodContext, projectId: number, userId: number) =>
    roles.accessLevel(context, projectId, userId, () => recentGroupRoles(context, userId)),
  ),
  projectsOfUser: roles.projectsOfUser,

  touchKeys: trackingCommands.touchKeys,
  ensureActiveKey: bumpsIngestVersion(trackingCommands.ensureActiveKey),
  ingestAccess: tracking.ingestAccess,

  saveForwardState,
  listForwardStates,

  listErrors,
  errorById,
  listEvents: events.listEvents,
  event: events.event,
  readEvents: events.readEvents,
  latestEvent: events.latestEvent,
  oldestEvent: events.oldestEvent,
  newestUsers: events.newestUsers,
  reportsOfEvents,
  listReports,
  setErrorStatus,
  countTabs: countTabs,
  matchingErrors: matchingErrors,
  unknownErrors,
  setErrorStatuses,
  setAssignees,
  reviewErrors,
  deleteErrors: deletions.deleteErrors,
  discardedGroups: deletions.discardedGroups,
  restoreDiscarded: deletions.restoreDiscarded,
  rankErrors,
  addImportSource: sources.addImportSource,
  listImportSources: sources.listImportSources,
  setBothReceiveUntil: sources.setBothReceiveUntil,
  listImportStates: sources.listImportStates,
  putImportedError,
  reserveErrorNumbers: sources.reserveErrorNumbers,
  missingIssues,
  knownThere,
  unknownThere,
  markKnownThere,
  setBase,
  addAliases: aliases.addAliases,
  endAlias: aliases.endAlias,
  unmergedAliases: aliases.unmergedAliases,
  errorsToLookUp: aliases.errorsToLookUp,
  addImportedEvents: history.addImportedEvents,
  putNotes: history.putNotes,
  putActivity: history.putActivity,
  putReleases: history.putReleases,
  findByExternalId,
  importedOrigin,

  mergeErrors: ({ merges }, ...args) => merges.merge(...args),
  unmergeErrors: ({ merges }, ...args) => merges.unmerge(...args),
  rollUpMerged: ({ merges }) => merges.rollUpAll(),
  listOutcomes: maintenance.listOutcomes,
  listReleases,
  tagNames: tags.tagNames,
  tagValues: tags.tagValues,
  projectAccess,
  projectNews,
  errorsThatMatter,
  releaseByName,
  releaseErrors,
  resolvedInCommit,
  resolveInRelease,
  resolvedInRelease,
  filterValues,
  releaseNames,

  lastBatch: ({ batches }, journalId) => batches.open().lastBatch(journalId),
  applyBatch: ({ batches }, batchId, batch) => batches.open().applyBatch(batchId, batch),
  completeBatch: ({ batches }, batchId) => batches.open().completeBatch(batchId),

  ping: maintenance.ping,
  stats: maintenance.stats,
  size: maintenance.size,
  prune: (context, limits) => prune(context, context.pruning, limits),
  acquireLease: maintenanceCommands.acquireLease,
  releaseLease: maintenanceCommands.releaseLease,
  listJournals: maintenance.listJournals,
  announceGateway: maintenanceCommands.announceGateway,
  retireGateway: maintenanceCommands.retireGateway,
  listGateways: maintenance.listGateways,
  setAssignee: triageCommands.setAssignee,
  addNote: triageCommands.addNote,
  listNotes: triage.listNotes,
  removeNote: triageCommands.removeNote,
  listActivity: triage.listActivity,
  endMutes: triageCommands.endMutes,

  collectFacts: factCommands.collectFacts,
  addFacts: factCommands.addFacts,
  listFacts: factViews.listFacts,
  factsOfError: factViews.factsOfError,
  lastFact: factViews.lastFact,
  silenceFacts: factCommands.silenceFacts,
  saveDelivery: deliveries.saveDelivery,
  deliveryById: deliveries.deliveryById,
  listDeliveries: deliveries.listDeliveries,
  deliveriesAround: deliveries.deliveriesAround,
  failedDeliveries: deliveries.failedDeliveries,
  errorStates: busy.errorStates,
  busyErrors: busy.busyErrors,
  recentErrors: busy.recentErrors,
  countEvents: busy.countEvents,

  linkedIssues: linkedIssues.linkedIssues,
  errorsWithIssue: linkedIssues.errorsWithIssue,
  addLinkedIssue: linkedIssues.addLinkedIssue,
  putLinkedIssues: linkedIssues.putLinkedIssues,
  removeLinkedIssue: linkedIssues.removeLinkedIssue,
  savedViews: savedViews.savedViews,
  saveView: savedViews.saveView,
  removeView: savedViews.removeView,

  putFile: files.putFile,
  readFile: files.readFile,
  openFile: files.openFile,
  knownFiles: files.knownFiles,
  renewFiles: files.renewFiles,
  listFiles: files.listFiles,
  removeFile: files.removeFile,
  removeUnfinished: files.removeUnfinished,

  releaseJournal: async ({ batches }, journalId) => {
    await batches.open().release(journalId);
  },
} as const satisfies StoreTable<MethodContext>;
