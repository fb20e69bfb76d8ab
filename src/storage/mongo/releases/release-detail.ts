import {
  RELEASE_DAYS,
  MAX_RELEASES_SORTED,
  type ReleaseDetail,
  type SessionHour,
} from '../../../domain/releases/session.ts';
import { hourOf } from '../../fold.ts';
import { neighboursOf, withAnnouncedTimes, type AnnouncedTimes } from '../../../domain/releases/release-order.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { fromShort, releaseHoursKey, releaseKey } from '../documents/release-documents.ts';
import { healthOf, RELEASE_ROW, type ReleaseRow } from './release-list.ts';

/** Returns one release; see the port. */
export async function releaseByName(
  context: MongoContext,
  projectId: number,
  release: string,
  environment: string | null,
  now: number,
): Promise<ReleaseDetail | null> {
  if (release === '') return null;
  const scope = { projectId, environment: environment ?? '', release };
  const { releases, buildReleases } = context.collections;
  const row = await releases.findOne<ReleaseRow>(
    { _id: releaseKey(scope), p: projectId },
    reading('releases.by_name', RELEASE_ROW),
  );
  if (row === null) return null;
  const [[health], history, listed, announced] = await Promise.all([
    healthOf(context, projectId, environment, [row], hourOf(now)),
    historyOf(context, scope, hourOf(now)),
    releases
      .find<Pick<ReleaseRow, 'r' | 'first'>>(
        { p: projectId, e: '' },
        reading('releases.neighbours', { _id: 0, r: 1, first: 1 }),
      )
      .sort({ first: -1, _id: -1 })
      .limit(MAX_RELEASES_SORTED)
      .toArray(),
    buildReleases
      .find({ projectId }, reading('build_releases.times', { _id: 0, release: 1, createdAt: 1, releasedAt: 1 }))
      .toArray(),
  ]);
  if (health === undefined) return null;
  const names = listed.map(({ r, first }) => ({ release: r, firstSeen: first }));
  const times = announced as unknown as (AnnouncedTimes & { readonly release: string })[];
  return { ...health, history, ...neighboursOf(release, withAnnouncedTimes(names, times)) };
}

async function historyOf(
  { collections }: MongoContext,
  scope: { readonly projectId: number; readonly environment: string; readonly release: string },
  currentHour: number,
): Promise<SessionHour[]> {
  const firstHour = currentHour - RELEASE_DAYS * 24 + 1;
  const [from, until] = [Math.floor(firstHour / 24), Math.floor(currentHour / 24)];
  const keys = Array.from({ length: until - from + 1 }, (_, index) => releaseHoursKey(scope, from + index));
  const days = await collections.releaseHours
    .find({ _id: { $in: keys }, p: scope.projectId }, reading('release_hours.of_release', { d: 1, h: 1 }))
    .toArray();
  return days
    .flatMap(({ d, h }) =>
      Object.entries(h).map(([hour, counts]) => ({ hour: d * 24 + Number(hour), ...fromShort(counts) })),
    )
    .filter(({ hour }) => hour >= firstHour && hour <= currentHour)
    .sort((a, b) => a.hour - b.hour);
}
