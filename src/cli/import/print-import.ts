import { droppedText } from '../../import/dropped-text.ts';
import type { DryRun } from '../../import/dry-run.ts';
import type { ImportSummary } from '../../import/import-run.ts';
import { invitationText, type Invitation } from '../../import/invitations.ts';
import { counted } from '../../lib/counted.ts';
import { renderTable } from '../../lib/table.ts';
import { printLine } from '../call/output.ts';
import { commandText } from './command-text.ts';

/** Lines of a list that are shown; `--json` has all. */
const MAX_SHOWN = 30;

function printLines(title: string, lines: readonly string[], more = 0): void {
  if (lines.length === 0) return;
  printLine(`\n${title}`);
  for (const line of lines.slice(0, MAX_SHOWN)) printLine(`  - ${line}`);
  const hidden = Math.max(0, lines.length - MAX_SHOWN) + more;
  if (hidden > 0) printLine(`  and ${hidden} more`);
}

function printMembers(members: readonly Invitation[]): void {
  printLines('members of the organization there, to be given access here:', members.map(invitationText));
}

export function printDryRun(run: DryRun): void {
  printLine(
    `${run.kind}${run.version === null ? '' : ` ${run.version}`} at ${run.url}, organization ${run.organization}\n`,
  );
  const head = ['project', 'goes to', 'exists', 'keys', 'inactive', 'errors'];
  const rows = run.projects.map((one) => [
    one.project,
    one.path,
    one.exists,
    one.keys,
    one.inactive_keys,
    one.errors_complete ? one.errors : `${one.errors} or more`,
  ]);
  printLine(rows.length === 0 ? '(no project)' : renderTable(head, rows));
  const atLeast = run.errors_complete ? '' : 'at least ';
  printLine(`\n${atLeast}${counted(run.errors, 'error')}; ${durationText(run.estimated_seconds)}`);
  const problems = run.projects.flatMap((one) => one.problems.map((text) => `${one.project}: ${text}`));
  printLines('cannot come along:', [...run.problems, ...problems, ...run.cannot]);
  const toSetUp = run.projects.flatMap((one) => one.to_set_up.map((text) => `${one.project}: ${text}`));
  printLines('to be set up again here:', toSetUp);
  const breaks = run.projects.flatMap((one) => one.breaks.map((text) => `${one.project}: ${text}`));
  printMembers(run.members);
  printLines('is used there, and errgate does not have it:', breaks);
  const next = run.projects.length === 0 ? '' : '; the same without --dry-run imports it';
  printLine(`\nnothing was changed${next}`);
}

function durationText(seconds: number | null): string {
  if (seconds === null) return 'it takes a moment';
  return seconds < 120 ? `it takes about ${seconds} s` : `it takes about ${Math.ceil(seconds / 60)} minutes`;
}

export function printSummary(run: ImportSummary): void {
  const head = [
    'project',
    'path',
    'imported',
    'updated',
    'waiting',
    'left out',
    'by event',
    'by key',
    'by likeness',
    'unjoined',
  ];
  const rows = run.projects.map((one) => [
    one.project,
    one.path,
    one.imported,
    one.updated,
    one.waiting,
    one.left_out,
    one.joined.event_id,
    one.joined.group_key,
    one.joined.likeness,
    one.unjoined,
  ]);
  if (rows.length > 0) printLine(renderTable(head, rows));
  printLines(
    'left out:',
    run.left_outs.map(({ project, what, reason }) => `${project === null ? '' : `${project}: `}${what}: ${reason}`),
    run.more_left_outs,
  );
  printLines('this tracker cannot give:', run.cannot);
  printLines('to be set up again here:', run.to_set_up);
  printMembers(run.members);
  const dropped = droppedText(run);
  if (dropped !== null) printLine(`\n${dropped}`);
  if (run.unjoined > 0) {
    printLine(
      `unjoined: no live event leads to ${counted(run.unjoined, 'error')} yet, because the tracker shows no event of them or another issue has their group key; a run after their next event joins what is alike`,
    );
  }
  const state = run.state === 'failed' && run.message.startsWith(`${run.left} left`) ? 'incomplete' : run.state;
  printLine(`\n${state}: ${commandText(run.message)}`);
}
