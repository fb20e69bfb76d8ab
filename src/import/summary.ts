import { MAX_DROPPED_SHOWN } from './dropped-text.ts';
import type { ImportSummary, JoinedCounts, ProjectSummary } from './import-run.ts';
import type { Invitation } from './invitations.ts';
import { type LeftOut, MAX_LISTED } from './state/left-outs.ts';
import { leftIn, owedIssues } from './state/left-work.ts';
import type { ProjectState } from './state/project-state.ts';
import type { RunState } from './state/run-state.ts';

function projectSummary(state: ProjectState): ProjectSummary {
  const { slug, path, projectId, created, updated, leftOut, joined, conflicts } = state;
  return {
    project: slug,
    path,
    project_id: projectId,
    imported: created,
    updated,
    waiting: state.waiting.length + state.waitingMore,
    left_out: leftOut.items.length + leftOut.more + Object.keys(state.owed ?? {}).length,
    dropped: droppedCount(state),
    joined,
    unjoined: state.unjoined.length + state.unjoinedMore,
    conflicts,
    events: state.bodies,
    notes: state.notes,
    releases: state.releases,
    keys: state.keys,
    counted: state.counted,
    missing: [...new Set([...state.refused, ...state.failed])],
    finished: state.finishedAt !== null,
  };
}

function droppedCount({ dropped }: ProjectState): number {
  return dropped === undefined ? 0 : dropped.ids.length + dropped.more;
}

/** Builds the report of a run from its states. */
export function summaryOf(
  run: RunState,
  projects: readonly ProjectState[],
  members: readonly Invitation[] = [],
): ImportSummary {
  const summaries = projects.map(projectSummary);
  const sum = (of: (one: ProjectSummary) => number): number => summaries.reduce((total, one) => total + of(one), 0);
  const { items, more } = run.leftOut;
  const owed = projects.flatMap(owedIssues);
  const leftOuts: readonly LeftOut[] = [
    ...items,
    ...projects.flatMap(({ leftOut }) => leftOut.items),
    ...owed.slice(0, MAX_LISTED),
  ];
  const left = leftIn(run.leftOut, projects).total;
  const joined: JoinedCounts = {
    event_id: sum((one) => one.joined.event_id),
    group_key: sum((one) => one.joined.group_key),
    likeness: sum((one) => one.joined.likeness),
  };
  return {
    state: run.state,
    message: run.message,
    complete: run.state === 'done' && left === 0,
    left,
    kind: run.kind,
    url: run.url,
    organization: run.organization,
    version: run.trackerVersion ?? null,
    projects: summaries,
    imported: sum((one) => one.imported),
    updated: sum((one) => one.updated),
    waiting: sum((one) => one.waiting),
    left_out: sum((one) => one.left_out) + items.length + more,
    dropped: sum((one) => one.dropped),
    dropped_first: projects
      .flatMap(({ slug, dropped }) => (dropped?.ids ?? []).map((id) => `${slug}: issue ${id}`))
      .slice(0, MAX_DROPPED_SHOWN),
    joined,
    unjoined: sum((one) => one.unjoined),
    cannot: run.cannot ?? [],
    left_outs: leftOuts,
    more_left_outs:
      more + projects.reduce((total, { leftOut }) => total + leftOut.more, 0) + Math.max(0, owed.length - MAX_LISTED),
    to_set_up: projects.flatMap(({ slug, toSetUp }) => toSetUp.map((text) => `${slug}: ${text}`)),
    members,
  };
}
