import type { Deploy } from '../api/releases-api.ts';
import { exactTime } from './exact-time.ts';
import { shortRelease } from './short-release.ts';
import { visibleExcerpt } from './visible-text.ts';

/** Deploy on the time axis of a chart. */
export interface DeployMark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `1.4.2 to production`. */
  readonly text: string;
}

export interface PlacedDeploy extends DeployMark {
  /** Percent of the width. */
  readonly x: number;
}

/** Maximum characters of a release and of an environment. */
const MAX_NAME = 32;
/** Maximum marks of a chart: those of the newest deploys. */
const MAX_MARKS = 30;

export function deployMarks(
  deploys: readonly (Pick<Deploy, 'environment' | 'finished_at'> & { readonly release: string })[],
): DeployMark[] {
  return deploys.map(({ release, environment, finished_at: at }) => ({
    at: Date.parse(at),
    text: `${shortRelease(release, MAX_NAME)} to ${visibleExcerpt(environment, MAX_NAME)}`,
  }));
}

/** Places deploys in a chart, oldest first; leaves out those outside of it. `start` and `span`: in milliseconds. */
export function placeDeploys(marks: readonly DeployMark[], start: number, span: number): PlacedDeploy[] {
  return marks
    .filter(({ at }) => at >= start && at < start + span)
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_MARKS)
    .map((mark) => ({ ...mark, x: ((mark.at - start) / span) * 100 }))
    .reverse();
}

/** Returns what the marks say, for readers that do not see them. */
export function deployTexts(placed: readonly PlacedDeploy[]): string {
  return placed.map(({ at, text }) => `${text}, ${exactTime(new Date(at).toISOString())}`).join('; ');
}
