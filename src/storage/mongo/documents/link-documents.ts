import { createHash } from 'node:crypto';
import type { SavedView } from '../../../domain/search/saved-view.ts';
import { errorUserKey, type Binary } from './document-keys.ts';

/** Issue on the host that belongs to an error. */
export interface LinkedIssueDocument {
  /** Project, group hash and a hash of the address, 32 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Number, unique among linked issues. */
  readonly i: number;
  readonly url: string;
  readonly t: string;
  readonly at: number;
  readonly u: number | null;
}

/** Views of one person in one project, at most MAX_SAVED_VIEWS. */
export interface SavedViewsDocument {
  /** `memberKey(projectId, userId)`. */
  readonly _id: string;
  readonly projectId: number;
  readonly userId: number;
  /** Raised by each change, so that none is lost. Copied ones begin with 0. */
  readonly version: number;
  readonly views: readonly SavedView[];
}

const HASH_CHARACTERS = 24;

export function linkedIssueKey(projectId: number, groupHash: string, url: string): Binary {
  const hash = createHash('sha256').update(url).digest('hex').slice(0, HASH_CHARACTERS);
  return errorUserKey(projectId, groupHash, hash);
}

/** Returns the range of the keys of an error's issues. */
export function linkedIssueRange(projectId: number, groupHash: string): { $gte: Binary; $lte: Binary } {
  const bound = (digit: string) => errorUserKey(projectId, groupHash, digit.repeat(HASH_CHARACTERS));
  return { $gte: bound('0'), $lte: bound('f') };
}
