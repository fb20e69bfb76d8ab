import type { Connection } from 'mongoose';
import { eventKey } from '../../src/storage/mongo/documents/document-keys.ts';
import {
  releaseHoursKey,
  releaseKey,
  releaseUserKey,
  scopeBinary,
  sessionRowKey,
} from '../../src/storage/mongo/documents/release-documents.ts';
import { DAY, hexId, HOUR, NOON } from './store-data.ts';
import { SMALL_ROWS } from './mongo-engine.ts';

const TODAY = Math.floor(NOON / DAY);

/** Fills the collections of sessions, releases and reports, so that a planner prefers indexes to scans. */
export async function fillReleases({ db }: Connection, projects: readonly number[]): Promise<void> {
  const insert = (name: string, make: (index: number, scope: ReturnType<typeof scopeOf>) => object) =>
    db?.collection(name).insertMany(Array.from({ length: SMALL_ROWS }, (_, index) => make(index, scopeOf(index))));
  const scopeOf = (index: number) => {
    const projectId = projects[index % projects.length] ?? 1;
    return { projectId, environment: index % 3 === 0 ? '' : 'production', release: `r${index}` };
  };
  await insert('releases', (index, scope) => ({
    ...{ _id: releaseKey(scope), p: scope.projectId, e: scope.environment, r: scope.release },
    ...{ first: NOON - index * HOUR, last: NOON - index, ev: 0, u: 0, cu: 0, w: {} },
  }));
  await insert('releasehours', (index, scope) => ({
    ...{ _id: releaseHoursKey(scope, TODAY - (index % 90)), p: scope.projectId, d: TODAY - (index % 90), h: {}, w: {} },
  }));
  await insert('releaseusers', (index, scope) => ({
    ...{ _id: releaseUserKey(scope, hexId(`u${index}`, 24), false), p: scope.projectId, s: 1, n: 1 },
  }));
  await insert('sessionrows', (index, scope) => ({
    ...{ _id: sessionRowKey(scope.projectId, hexId(`s${index}`), 'seen'), p: scope.projectId, t: 0, s: 1, n: 1 },
    ...{ hr: TODAY * 24 - (index % 160), k: scopeBinary(scope) },
  }));
  await insert('eventreports', (index, { projectId }) => ({
    ...{ _id: eventKey(projectId, hexId(`reported ${index}`)), p: projectId, rcv: NOON + DAY, r: {}, w: {} },
  }));
}
