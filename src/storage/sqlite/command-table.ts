import type { StoreTable } from '../store-table.ts';
import * as accounts from './commands/account-commands.ts';
import * as aliases from './commands/alias-commands.ts';
import { applyBatch, completeBatch } from './commands/apply-batch.ts';
import { mergeErrors, setErrorStatus, unmergeErrors } from './commands/error-commands.ts';
import { removeErrors, restoreDiscarded, sweepErrors } from './commands/delete-errors.ts';
import { saveDelivery } from './commands/delivery-rows.ts';
import * as importSources from './commands/import-sources.ts';
import * as importedErrors from './commands/imported-errors.ts';
import * as importedHistory from './commands/imported-history.ts';
import { addFacts, silenceFacts } from './commands/fact-commands.ts';
import { bumpsIngestVersion } from './engine/ingest-version.ts';
import { markKnownThere } from './commands/known-events.ts';
import { rollUpMerged } from './commands/merge-roll-up.ts';
import { rankBatch } from './commands/rank-errors.ts';
import { resolveInRelease } from './commands/resolve-in-release.ts';
import { saveForwardState } from './commands/forward-states.ts';
import * as links from './commands/link-commands.ts';
import * as maintenance from './commands/maintenance-commands.ts';
import * as projects from './commands/project-commands.ts';
import * as views from './commands/saved-view-commands.ts';
import { reviewErrors, setAssignees, setErrorStatuses } from './commands/bulk-commands.ts';
import * as tracking from './commands/tracking-commands.ts';
import * as triage from './commands/triage-commands.ts';
import type { Requirement, Write } from '../records/writes.ts';
import { writeRecords } from './records/record-statements.ts';
import type { WriteContext } from './engine/write-context.ts';

/** Methods of the store that are one write, by name in the port. */
export const STORE_WRITES = {
  createUser: accounts.createUser,
  setPasswordHash: accounts.setPasswordHash,
  setUserBlocked: accounts.setUserBlocked,
  updateUser: accounts.updateUser,
  createToken: accounts.createToken,
  revokeToken: accounts.revokeToken,
  touchToken: accounts.touchToken,
  createSession: accounts.createSession,
  touchSession: accounts.touchSession,
  endSession: accounts.endSession,
  endSessionsOfUser: accounts.endSessionsOfUser,
  createProject: projects.createProject,
  updateProject: projects.updateProject,
  setMember: projects.setMember,
  removeMember: projects.removeMember,
  saveSettings: bumpsIngestVersion(tracking.saveSettings),
  replaceEncryptedToken: tracking.replaceEncryptedToken,
  saveProtection: bumpsIngestVersion(tracking.saveProtection),
  createKey: bumpsIngestVersion(tracking.createKey),
  setKeyActive: bumpsIngestVersion(tracking.setKeyActive),
  deleteKey: bumpsIngestVersion(tracking.deleteKey),
  touchKeys: tracking.touchKeys,
  ensureActiveKey: bumpsIngestVersion(tracking.ensureActiveKey),
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
  initMeta: maintenance.initMeta,
  setMeta: maintenance.setMeta,
  acquireLease: maintenance.acquireLease,
  releaseLease: maintenance.releaseLease,
  prune: maintenance.prune,
  addImportSource: importSources.addImportSource,
  reserveErrorNumbers: importSources.reserveErrorNumbers,
  setBothReceiveUntil: importSources.setBothReceiveUntil,
  saveImportState: importSources.saveImportState,
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
  removeProject: bumpsIngestVersion(projects.removeProject),
  sweepProject: projects.sweepProject,
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
