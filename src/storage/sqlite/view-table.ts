import type { StoreTable } from '../store-table.ts';
import type { SqliteDatabase } from './engine/database.ts';
import * as accounts from './accounts/account-views.ts';
import * as busy from './alerts/busy-errors.ts';
import * as deliveries from './alerts/delivery-views.ts';
import { errorsThatMatter, listErrors } from './lists/error-list.ts';
import { errorById } from './lists/error-detail.ts';
import { unknownErrors } from './errors/error-groups.ts';
import * as events from './events/event-views.ts';
import { discardedGroups } from './lists/discard-views.ts';
import { countTabs, matchingErrors } from './search/tab-counts.ts';
import { filterValues, releaseNames } from './overview/filter-values.ts';
import * as tagNames from './overview/tag-names.ts';
import * as facts from './alerts/fact-views.ts';
import { listForwardStates } from './projects/forward-states.ts';
import * as imports from './errors/import-views.ts';
import * as links from './links/link-views.ts';
import * as maintenance from './instance/maintenance-views.ts';
import * as projects from './projects/project-views.ts';
import * as roles from './projects/roles.ts';
import * as reports from './events/report-views.ts';
import * as tracking from './projects/tracking-views.ts';
import * as triage from './status/triage-views.ts';
import { projectAccess } from './projects/project-access.ts';
import { projectNews } from './overview/project-news.ts';
import { releaseByName } from './releases/release-detail.ts';
import { releaseErrors, resolvedInCommit, resolvedInRelease } from './releases/release-errors.ts';
import { listReleases } from './releases/release-list.ts';

/** Methods of the store that only read, by name in the port. */
export const VIEWS = {
  tokenByHash: accounts.tokenByHash,
  sessionByHash: accounts.sessionByHash,
  projectById: projects.projectById,
  projectByPath: projects.projectByPath,
  formerPathsIn: projects.formerPathsIn,
  listProjects: projects.listProjects,
  listMembers: roles.listMembers,
  accessLevel: roles.accessLevel,
  projectsOfUser: roles.projectsOfUser,
  listGroupMembers: roles.listGroupMembers,
  groupRoles: roles.groupRoles,
  projectsBelow: roles.projectsBelow,
  ingestAccess: tracking.ingestAccess,
  listForwardStates,
  listErrors,
  countTabs,
  discardedGroups,
  matchingErrors,
  unknownErrors,
  errorById,
  listEvents: events.listEvents,
  event: events.event,
  readEvents: events.readEvents,
  latestEvent: events.latestEvent,
  oldestEvent: events.oldestEvent,
  newestUsers: events.newestUsers,
  reportsOfEvents: reports.reportsOfEvents,
  listReports: reports.listReports,
  errorsWithIssue: links.errorsWithIssue,
  listNotes: triage.listNotes,
  listActivity: triage.listActivity,
  listOutcomes: maintenance.listOutcomes,
  listReleases,
  projectAccess,
  projectNews,
  errorsThatMatter,
  releaseByName,
  releaseErrors,
  resolvedInCommit,
  resolvedInRelease,
  filterValues,
  releaseNames,
  tagNames: tagNames.tagNames,
  tagValues: tagNames.tagValues,
  lastBatch: maintenance.lastBatch,
  ping: maintenance.ping,
  stats: maintenance.stats,
  size: maintenance.size,
  listImportSources: imports.listImportSources,
  listImportStates: imports.listImportStates,
  missingIssues: imports.missingIssues,
  knownThere: imports.knownThere,
  unknownThere: imports.unknownThere,
  unmergedAliases: imports.unmergedAliases,
  errorsToLookUp: imports.errorsToLookUp,
  findByExternalId: imports.findByExternalId,
  importedOrigin: imports.importedOrigin,
  listFacts: facts.listFacts,
  factsOfError: facts.factsOfError,
  lastFact: facts.lastFact,
  deliveryById: deliveries.deliveryById,
  listDeliveries: deliveries.listDeliveries,
  deliveriesAround: deliveries.deliveriesAround,
  failedDeliveries: deliveries.failedDeliveries,
  errorStates: busy.errorStates,
  busyErrors: busy.busyErrors,
  recentErrors: busy.recentErrors,
  countEvents: busy.countEvents,
  linkedIssues: links.linkedIssues,
  savedViews: links.savedViews,
} as const satisfies StoreTable<SqliteDatabase>;
