import { droppedText } from '../dropped-text.ts';
import type { ImportSummary, StageName } from '../import-run.ts';
import type { ReadTrouble } from '../readers/access/patient-asker.ts';
import { unaccountedFact } from '../unaccounted-events.ts';

/** Maximum sentences about what did not come along. */
const MAX_NOTES = 200;

export const BEGINS = 'The import begins.';
export const STOPPING = 'The import is being stopped.';
export const CANCELLED = 'The import was stopped. What was imported stays.';
export const INTERRUPTED =
  'The import is interrupted: the gateway that ran it has stopped. It continues by itself within a minute.';
export const UNLINKED = 'The project is no longer linked to its tracker. Link it again to continue the import.';
export const LINKED_ELSEWHERE =
  'The project is linked to another tracker or project now. Start the import again to import that one.';

export const NOT_SWITCHED =
  'The project was not switched, and still shows its tracker: import again, or choose the backend in the settings if you can do without the rest.';

export const STAGE_TEXTS: Readonly<Record<StageName, string>> = {
  projects: 'Reads the project and its keys.',
  errors: 'Imports errors.',
  releases: 'Imports releases.',
  events: 'Imports the newest events of each error.',
  comments: 'Imports comments.',
  reports: 'Imports user reports.',
  truth: 'Looks for errors that both trackers have.',
  likeness: 'Looks for errors that are alike.',
  reconcile: 'Checks what was imported.',
  counts: 'Takes counts that changed meanwhile.',
};

/** Describes what the import waits for. */
export function troubleText({ kind, reason, until }: ReadTrouble): string {
  const at = clockTime(until);
  return kind === 'limited'
    ? `The tracker limits requests. The import goes on at ${at}.`
    : `The tracker does not answer: ${reason}. The import tries again until ${at} at the latest.`;
}

/** Describes why a continued import has not begun yet. `until`: time of the last try. */
export function awayText(reason: string, until: number): string {
  return `The import is interrupted. ${troubleText({ kind: 'away', reason, until })}`;
}

function clockTime(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}

export function failureText(reason: string): string {
  return `The import stopped: ${reason}. Continue it when the reason is gone.`;
}

export function resultText({ state, message, imported, updated }: ImportSummary): string {
  if (state !== 'done') return `The import is not complete: ${message}.`;
  const known = updated === 0 ? '' : `, ${updated} were brought up to date`;
  return `${imported} errors were imported${known}.`;
}

/** Warns of live events that no rule accounts for. */
export function cardText(count: number): string {
  return `${unaccountedFact(count)}: then ask an operator to run errgate import with --both-receive, or set up forwarding before more come. Nothing is to be done if applications send only here.`;
}

export function notesOf(summary: ImportSummary): string[] {
  const { cannot, left_outs: leftOuts, more_left_outs: more, to_set_up: toSetUp } = summary;
  const dropped = droppedText(summary);
  const all = [
    ...(dropped === null ? [] : [`${dropped}.`]),
    ...cannot,
    ...toSetUp.map((rule) => `Set up again: ${rule}`),
    ...leftOuts.map(({ what, reason }) => `${what}: ${reason}`),
    ...(more === 0 ? [] : [`${more} more were left out`]),
  ];
  return all.slice(0, MAX_NOTES);
}
