import type { DigestedBatch, OutcomeCount } from '../../../domain/ingest/digest.ts';
import type { ReleaseFold } from '../../releases/fold-releases.ts';
import { knownProjects } from './known/known-projects.ts';
import type { TakeOptions } from './new-events.ts';
import { takeSessions } from './new-sessions.ts';
import { planReports } from './plan/plan-reports.ts';
import type { PlannedWrite } from '../engine/planned-write.ts';

export interface TakenExtras {
  /** Writes of reports; changes of sessions are in the fold. */
  readonly writes: readonly PlannedWrite[];
  readonly outcomes: readonly OutcomeCount[];
}

/** Takes the items of a batch beside events. Free when there are none. */
export async function takeExtras(
  { sessions = [], reports = [] }: DigestedBatch,
  fold: ReleaseFold,
  options: TakeOptions,
): Promise<TakenExtras> {
  if (sessions.length + reports.length === 0) {
    return { writes: [], outcomes: [] };
  }
  const { collections } = options;
  const ids = [...sessions, ...reports].map(({ projectId }) => projectId);
  const projects = new Set((await knownProjects(ids, collections)).keys());
  const planned = await planReports(reports, projects, collections);
  const outcomes = await takeSessions(sessions, projects, fold, options);
  return { writes: planned.writes, outcomes: [...planned.outcomes, ...outcomes] };
}
