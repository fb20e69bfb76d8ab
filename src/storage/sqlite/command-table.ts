import type { StoreTable } from '../store-table.ts';
import * as aliases from './imports/alias-commands.ts';
import { applyBatch, completeBatch } from './batch/apply-batch.ts';
import { mergeErrors, setErrorStatus, unmergeErrors } from './status/error-commands.ts';
import { removeErrors, restoreDiscarded, sweepErrors } from './retention/delete-errors.ts';
import { saveDelivery } from './alerts/delivery-rows.ts';
import { replaceGrantedRoles } from './status/granted-role-commands.ts';
import * as groups from './status/group-commands.ts';
import * as importSources from './imports/import-sources.ts';
import * as importedErrors from './imports/imported-errors.ts';
import * as importedHistory from './imports/imported-history.ts';
import { addFacts, silenceFacts } from './alerts/fact-commands.ts';
import { bumpsIngestVersion } from './engine/ingest-version.ts';
import { markKnownThere } from './imports/known-events.ts';
import { rollUpMerged } from './merging/merge-roll-up.ts';
import { rankBatch } from './updates/rank-errors.ts';
import { resolveInRelease } from './status/resolve-in-release.ts';
import { saveForwardState } from './projects/forward-states.ts';
import * as links from './links/link-commands.ts';
import * as moves from './status/move-commands.ts';
import * as maintenance from './instance/maintenance-commands.ts';
import { removeMember, setMember } from './status/member-commands.ts';
import * as projects from './projects/project-commands.ts';
import { removeProject, sweepProject } from './retention/remove-project.ts';
import * as views from './links/saved-view-commands.ts';
import { reviewErrors, setAssignees, setErrorStatuses } from './status/bulk-commands.ts';
import * as tracking from './projects/tracking-commands.ts';
import * as triage from './status/triage-commands.ts';
import type { Requirement, Write } from '../records/writes.ts';
import { writeRecords } from './records/record-statements.ts';
import type { WriteContext } from './engine/write-context.ts';

/** Methods of the store that are one write, by name in the port. */
export const STORE_WRITES = {
  createProject: projects.createProject,
  updateProject: moves.updateProject,
  moveGroup: moves.moveGroup,
  deleteGroup: groups.deleteGroup,
  setGroupMember: groups.setGroupMember,
  removeGroupMember: groups.removeGroupMember,
  setMember,
  removeMember,
  replaceGrantedRoles,
  touchKeys: tracking.touchKeys,
  ensureActiveKey: tracking.ensureActiveKey,
  saveForwardState,
  setErrorStatus,
  mergeErrors,
  unmergeErrors,
  setErrorStatuses,
  resolveInRelease,
  setAssignees,
  restoreDiscarded,
  reviewErrors,
  setAssignee: triage.setAssignee,
  addNote: triage.addNote,
  removeNote: triage.removeNote,
  applyBatch,
  completeBatch,
  acquireLease: maintenance.acquireLease,
  releaseLease: maintenance.releaseLease,
  prune: maintenance.prune,
  addImportSource: importSources.addImportSource,
  reserveErrorNumbers: importSources.reserveErrorNumbers,
  setBothReceiveUntil: importSources.setBothReceiveUntil,
  putImportedError: importedErrors.putImportedError,
  setBase: importedErrors.setBase,
  markKnownThere,
  addAliases: aliases.addAliases,
  endAlias: aliases.endAlias,
  addImportedEvents: importedHistory.addImportedEvents,
  putNotes: importedHistory.putNotes,
  putActivity: importedHistory.putActivity,
  putReleases: importedHistory.putReleases,
  addFacts,
  silenceFacts,
  saveDelivery,
  addLinkedIssue: links.addLinkedIssue,
  putLinkedIssues: links.putLinkedIssues,
  removeLinkedIssue: links.removeLinkedIssue,
  saveView: views.saveView,
  removeView: views.removeView,
} as const satisfies StoreTable<WriteContext>;

/** All writes by their name across threads, including the steps of longer methods. */
export const COMMANDS = {
  ...STORE_WRITES,
  removeProject: bumpsIngestVersion(removeProject),
  sweepProject,
  rollUpMerged,
  rankBatch,
  removeErrors,
  sweepErrors,
  endMutes: triage.endMutes,
  writeRecords: ({ db }: WriteContext, ...args: WriteArguments) => writeRecords(db, ...args),
} as const;

type WriteArguments = [writes: readonly Write[], requirements?: readonly Requirement[]];

export type CommandName = keyof typeof COMMANDS;
type Command<N extends CommandName> = (typeof COMMANDS)[N];
export type CommandArguments<N extends CommandName> =
  Parameters<Command<N>> extends [WriteContext, ...infer Rest] ? Rest : never;
export type CommandResult<N extends CommandName> = ReturnType<Command<N>>;

/** Runs write commands one at a time, each as one durable transaction. */
export interface WriteExecutor {
  /**
   * Runs a command. Rejects with AppErrors only; nothing was changed then, unless the connection to the writer was
   * lost.
   */
  run<N extends CommandName>(name: N, ...args: CommandArguments<N>): Promise<CommandResult<N>>;
  close(): Promise<void>;
}
