import { hash } from 'node:crypto';
import type { GroupHash } from '../../domain/ingest/digest.ts';
import type { GroupingKey } from './digest-deps.ts';

/** Hex digits of a group hash: 16 bytes. */
const GROUP_HASH_DIGITS = 32;

/** Returns the group hash of a grouping key in a project. */
export function groupHashOf(projectId: number, { version, key }: GroupingKey): GroupHash {
  const groupHash = hash('sha256', `${projectId}|${version}|${key}`, 'hex').slice(0, GROUP_HASH_DIGITS);
  return { groupHash, groupingVersion: version };
}
