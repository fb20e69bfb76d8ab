import { releaseTime } from '../../../domain/releases/release-order.ts';
import { buildReleases as buildReleaseKind } from '../../records/kinds/build-kinds.ts';
import type { Binary } from '../documents/document-keys.ts';
import { recordKey } from '../documents/record-documents.ts';
import { releaseKey } from '../documents/release-documents.ts';
import type { BatchCollections } from '../engine/batch-collections.ts';
import { findKeys } from './known/key-filters.ts';
import { hex } from './marked-rows.ts';

interface Named {
  readonly projectId: number;
  readonly release: string;
}

const keyOf = ({ projectId, release }: Named): Binary => releaseKey({ projectId, environment: '', release });
const announcedKey = ({ projectId, release }: Named) => recordKey(buildReleaseKind, { projectId, release });

/**
 * Reads the times of releases by the order of releases. The result answers undefined for one that neither events nor
 * builds brought.
 */
export async function timesOfReleases(
  { releases, buildReleases }: Pick<BatchCollections, 'releases' | 'buildReleases'>,
  named: readonly Named[],
): Promise<(release: Named) => number | undefined> {
  const keys = new Map(named.map((each) => [hex(keyOf(each)), { _id: keyOf(each), p: each.projectId }]));
  const announcedKeys = [...new Set(named.map(announcedKey))];
  const [seen, announced] = await Promise.all([
    findKeys(releases, [...keys.values()], { first: 1 }),
    buildReleases.find({ _id: { $in: announcedKeys } }, { createdAt: 1, releasedAt: 1 }, 'local'),
  ]);
  const firstSeen = new Map(seen.map(({ _id, first }) => [hex(_id as Binary), first as number]));
  const times = new Map(
    announced.map(({ _id, createdAt, releasedAt }) => [
      _id,
      { createdAt: createdAt as number, releasedAt: releasedAt as number | null },
    ]),
  );
  return (release) => releaseTime(firstSeen.get(hex(keyOf(release))), times.get(announcedKey(release)));
}
