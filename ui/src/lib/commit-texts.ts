import { visibleExcerpt } from './visible-text.ts';

/** Characters of a commit's name. */
const SHORT = 10;
/** Maximum characters of an author, and of a title. */
const MAX_AUTHOR = 60;
const MAX_TITLE = 160;

/** `title`: first line of the message; null: the commit has none. */
export function commitTitle(title: string | null): string {
  return title === null ? '(no message)' : visibleExcerpt(title, MAX_TITLE);
}

/** Returns the beginning of a commit's name. */
export function shortCommit(id: string): string {
  return visibleExcerpt(/^[0-9a-f]+$/i.test(id) ? id.slice(0, SHORT) : id, SHORT + 1);
}

/** Returns the author of a commit by name, else by address. */
export function authorText({
  author_name: name,
  author_email: email,
}: {
  readonly author_name: string | null;
  readonly author_email: string | null;
}): string {
  const author = [name, email].find((text) => text !== null && text.trim() !== '');
  return author === undefined || author === null ? 'unknown author' : visibleExcerpt(author, MAX_AUTHOR);
}
