/** Path of an issue: of all its forms the project before, and the number behind. */
const ISSUE_PATH = /^(\/.+?)(?:\/-)?\/(?:issues\/incident|issues|work_items)\/([1-9]\d{0,15})\/?$/;
/** Forms under which GitLab shows one issue: of today, of incidents, and of versions before 12. */
const FORMS = ['/-/issues/', '/-/work_items/', '/-/issues/incident/', '/issues/', '/work_items/', '/issues/incident/'];

/** Issue of a project on GitLab. */
interface IssueAddress {
  /** Address of the project, without a slash at the end. */
  readonly project: string;
  readonly number: string;
}

function readAddress(address: string): IssueAddress | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname } = new URL(address);
  const [, path, number] = ISSUE_PATH.exec(pathname) ?? [];
  return path === undefined || number === undefined || origin === 'null' ? null : { project: origin + path, number };
}

/**
 * Returns one text for all forms of the address of an issue, without what follows `?` and `#`. Null: it is no issue of
 * GitLab. Host and project must be written as the host writes them; only the case of the host does not matter.
 */
export function normalIssueAddress(address: string): string | null {
  const read = readAddress(address);
  return read === null ? null : `${read.project}/-/issues/${read.number}`;
}

/** Returns the beginnings of all addresses of an issue; those of other issues may begin so too. */
export function issueAddressStarts(address: string): string[] {
  const read = readAddress(address);
  return read === null ? [] : FORMS.map((form) => read.project + form + read.number);
}
