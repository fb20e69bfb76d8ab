import type { ErrorSort } from '../../domain/search/error-query.ts';
import type { ThirdpartyIssue } from '../../schemas/thirdparty/issue.ts';
import type { TrackerReply } from '../http/answer.ts';
import { parseLinkHeader, type PageCursors } from '../http/link-header.ts';
import { countOf, timeOf } from '../map/values.ts';
import { anotherProject, refused, unsupported } from '../http/refused.ts';
import { apiPath, ask, hostOf, usedRows, type TrackerSession } from '../session.ts';
import { usableRows } from '../http/shape.ts';
import type { SortFamily } from '../dialect/tracker-traits.ts';
import { serialiseUntilKnown } from '../serialise-until-known.ts';
import { badCursor } from './bad-cursor.ts';
import { readIssue } from './issue.ts';

export interface IssueQuestion {
  /** Query in the syntax of the tracker; empty for all. */
  readonly query: string;
  readonly sort: ErrorSort;
  readonly environment: string | null;
  /** Bounds of times as parameters; default none. */
  readonly bounds?: readonly (readonly [string, string])[];
  readonly limit: number;
  /** Cursor of the tracker. */
  readonly cursor: string | null;
}

export interface IssueRows extends PageCursors {
  /** May exceed the requested number. */
  readonly rows: readonly ThirdpartyIssue[];
}

type Pairs = [string, string][];

function parameters(session: TrackerSession, question: IssueQuestion, sortName: string | null): Pairs {
  const pairs: Pairs = [
    // Sent even when empty: otherwise trackers apply a default query.
    ['query', question.query],
    [session.dialect.pageSizeName, String(question.limit)],
  ];
  if (sortName !== null) pairs.push(['sort', sortName]);
  if (question.environment !== null) pairs.push(['environment', question.environment]);
  for (const [name, time] of question.bounds ?? []) pairs.push([name, time]);
  if (question.cursor !== null) pairs.push(['cursor', question.cursor]);
  return pairs;
}

/** Route of the organization: needs the project id and a time window. */
function askOrganization(session: TrackerSession, pairs: Pairs): Promise<TrackerReply> {
  const id = session.projectId ?? session.dialect.projectId ?? session.project;
  const query: Pairs = [...pairs, ['project', id], ['statsPeriod', '90d'], ['groupStatsPeriod', '24h']];
  return ask(session, { path: apiPath('organizations', session.organization, 'issues'), query });
}

async function askOnRoute(session: TrackerSession, pairs: Pairs): Promise<TrackerReply> {
  const { dialect } = session;
  if (dialect.listRoute === 'organization') return askOrganization(session, pairs);
  const path = apiPath('projects', session.organization, session.project, 'issues');
  const first = await ask(session, { path, query: pairs });
  if (first.status !== 404 && first.status !== 410) return first;
  const second = await askOrganization(session, pairs);
  if (second.ok) dialect.listRoute = 'organization';
  return second.ok ? second : first;
}

/** Removes rows of other projects, which appear when slugs or id belong to another project now. */
function ownRows(session: TrackerSession, rows: ThirdpartyIssue[]): ThirdpartyIssue[] {
  const expected = session.projectId ?? session.dialect.projectId;
  if (expected === null) return rows;
  const own = rows.filter(({ project }) => {
    const id = project?.id;
    return id === undefined || id === null || String(id) === expected;
  });
  if (own.length === 0 && rows.length > 0) throw anotherProject(hostOf(session));
  return own;
}

/** Statuses for a refused parameter. */
const isWrong = ({ status }: TrackerReply): boolean => status === 400 || status === 422;

/** Removes duplicates: a page of a tracker may repeat an issue. */
function withoutDoubles(rows: readonly ThirdpartyIssue[]): ThirdpartyIssue[] {
  return [...new Map(rows.map((row) => [String(row.id), row])).values()];
}

function read(session: TrackerSession, question: IssueQuestion, reply: TrackerReply): IssueRows {
  // The other parameters were valid for the first page.
  if (isWrong(reply) && question.cursor !== null) throw badCursor();
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'list the errors', scope: 'event:read' });
  const usable = usedRows(session, 'issue', usableRows([reply.body], 'an error', readIssue));
  const rows = ownRows(session, withoutDoubles(usable));
  return { rows, ...parseLinkHeader(reply.link) };
}

/**
 * Repeats the request without the sort: success means that the sort was refused. Error texts differ by tracker and
 * language.
 */
async function refusesSort(session: TrackerSession, question: IssueQuestion, sortName: string): Promise<boolean> {
  const first = { ...question, cursor: null };
  if (question.cursor !== null && !isWrong(await askOnRoute(session, parameters(session, first, sortName)))) {
    return false;
  }
  return (await askOnRoute(session, parameters(session, first, null))).ok;
}

/** Reads a page with this name of the sort; null when the tracker does not know the name. */
async function askSorted(
  session: TrackerSession,
  question: IssueQuestion,
  sortName: string | null,
): Promise<IssueRows | null> {
  const { dialect } = session;
  const reply = await askOnRoute(session, parameters(session, question, sortName));
  if (sortName !== null && isWrong(reply) && (await refusesSort(session, question, sortName))) return null;
  const page = read(session, question, reply);
  if (page.rows.length <= question.limit || dialect.pageSizeName === 'per_page') return page;
  // The tracker ignored `limit`, so `per_page` may work. Otherwise the caller cuts the page.
  dialect.pageSizeName = 'per_page';
  return askSorted(session, question, sortName);
}

const SORT_KEYS: Readonly<Record<ErrorSort, (issue: ThirdpartyIssue) => number>> = {
  last_seen: (issue) => timeOf(issue.lastSeen) ?? 0,
  first_seen: (issue) => timeOf(issue.firstSeen) ?? 0,
  frequency: (issue) => countOf(issue.count) ?? 0,
  users: (issue) => countOf(issue.userCount) ?? 0,
  // Never asked for: no tracker has this order.
  matters: (issue) => timeOf(issue.lastSeen) ?? 0,
};

/** Returns the order of a page. `down`: descending, as requested; `level`: the page does not reveal the order. */
function orderOf(rows: readonly ThirdpartyIssue[], sort: ErrorSort): 'down' | 'level' | 'mixed' {
  const keys = rows.map(SORT_KEYS[sort]);
  if (keys.some((key, index) => index > 0 && key > (keys[index - 1] ?? key))) return 'mixed';
  return keys[0] === keys.at(-1) ? 'level' : 'down';
}

const sameRows = (one: IssueRows, other: IssueRows): boolean =>
  one.rows.length === other.rows.length && one.rows.every((row, index) => row.id === other.rows[index]?.id);

/** Tries the sort of one family. `validates`: the tracker has refused other names, so it checks them. */
async function askInFamily(
  session: TrackerSession,
  question: IssueQuestion,
  family: SortFamily,
  validates: boolean,
): Promise<IssueRows | 'refused' | 'passed over'> {
  const { dialect } = session;
  const page = await askSorted(session, question, family[question.sort] ?? null);
  if (page === null) return 'refused';
  if (dialect.sortFamily === family || question.cursor !== null) return page;
  const order = orderOf(page.rows, question.sort);
  if (order === 'mixed' && !validates) {
    const unsorted = await askSorted(session, { ...question, sort: 'last_seen' }, null);
    if (unsorted !== null && sameRows(page, unsorted)) return 'passed over';
  }
  // A page that also fits the default order proves nothing, unless other names were refused before.
  if (validates || order === 'mixed' || (order === 'down' && orderOf(page.rows, 'last_seen') === 'mixed')) {
    dialect.sortFamily = family;
  }
  return page;
}

async function findSort(session: TrackerSession, question: IssueQuestion): Promise<IssueRows> {
  const { dialect } = session;
  const { sort } = question;
  const known = dialect.sortFamily;
  // The default of the kind may be wrong for this version.
  const others = known === null || known === dialect.traits.sorts ? dialect.sortFamilies : [];
  const families = [...(known === null ? [] : [known]), ...others];
  const tried = new Set<string>();
  const passedOver: SortFamily[] = [];
  let validates = false;
  for (const family of families) {
    const name = family[sort];
    if (name === undefined || tried.has(name) || dialect.unsupportedSorts.has(sort)) continue;
    tried.add(name);
    const result = await askInFamily(session, question, family, validates);
    if (typeof result !== 'string') return result;
    if (result === 'refused') {
      validates = true;
      dialect.suspect(family);
    } else {
      passedOver.push(family);
    }
  }
  // A tracker that validates names knows those it accepts, whatever the order of rows.
  for (const family of validates ? passedOver : []) {
    const result = await askInFamily(session, question, family, validates);
    if (typeof result !== 'string') return result;
  }
  dialect.unsupportedSorts.add(sort);
  throw unsupported(`sort by ${sort.replace('_', ' ')}`);
}

/**
 * Reads a page of the project's issues. Throws `unsupported_by_tracker` for a refused or ignored sort, `bad_request`
 * for an invalid cursor.
 */
export async function listIssues(session: TrackerSession, question: IssueQuestion): Promise<IssueRows> {
  const { dialect } = session;
  if (question.sort === 'last_seen') {
    const page = await askSorted(session, question, null);
    if (page === null) throw unsupported('sort');
    return page;
  }
  const run = (asker: TrackerSession): Promise<IssueRows> => findSort(asker, question);
  const isKnown = (): boolean => dialect.sortFamily !== null;
  return isKnown() ? run(session) : serialiseUntilKnown(session, isKnown, run);
}
