import type { ReleaseCommit } from '../../../domain/artifacts/build.ts';
import { cutText, firstLine } from '../../../lib/text/clean-text.ts';
import { nullableText, nullableTime } from '../../http/common-schema.ts';

/** Maximum characters of the title of a commit. */
const MAX_TITLE = 200;

/** Members of a commit that a build sent; all of them are texts of others. */
export const commitProperties = {
  id: { type: 'string' },
  repository: nullableText,
  title: { ...nullableText, description: 'First line of the message' },
  message: nullableText,
  author_name: nullableText,
  author_email: nullableText,
  created_at: nullableTime,
} as const;

/** Returns a commit with the members of `commitProperties`. */
export function commitMembers({ commit, repository, message, authorName, authorEmail, at }: ReleaseCommit) {
  const title = cutText(firstLine(message ?? ''), MAX_TITLE);
  return {
    id: commit,
    repository,
    message,
    authorName,
    authorEmail,
    createdAt: at,
    title: title === '' ? null : title,
  };
}
