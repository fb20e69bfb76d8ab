import type { ErrorSort } from '../../domain/tracked-error.ts';
import type { ThirdpartyIssue } from '../../schemas/thirdparty/issue.ts';
import type { TrackerReply } from '../answer.ts';
import { parseLinkHeader, type PageCursors } from '../link-header.ts';
import { countOf, timeOf } from '../map/values.ts';
import { anotherProject, refused, unsupported } from '../refused.ts';
import { apiPath, ask, hostOf, usedRows, type TrackerSession } from '../session.ts';
import { usableRows } from '../shape.ts';
import type { SortFamily } from '../tracker-traits.ts';
import { inTurn } from '../turns.ts';
import { badCursor } from './bad-cursor.ts';
import { readIssue } from './issue.ts';

export interface IssueQuestion {
  /** In the tracker's language; empty for everything. */
  readonly query: string;
  readonly sort: ErrorSort;
  readonly environment: string | null;
  readonly limit: number;
  /** The tracker's own. */
  readonly cursor: string | null;
}

export interface IssueRows extends PageCursors {
  /** May be more than were asked for. */
  readonly rows: readonly ThirdpartyIssue[];
}

type Pairs = [string, string][];

function parameters(session: TrackerSession, question: IssueQuestion, sortName: string | null): Pairs {
  const pairs: Pairs = [
    // Always, even when empty: without it trackers put in one of their own.
    ['query', question.query],
    [session.dialect.pageSizeName, String(question.limit)],
  ];
  if (sortName !== null) pairs.push(['sort', sortName]);
  if (question.environment !== null) pairs.push(['environment', question.environment]);
  if (question.cursor !== null) pairs.push(['cursor', question.cursor]);
  return pairs;
}

/** Below the organization, where the project is chosen by its id and the window has to be said. */
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

/** Without rows of other projects, which a list has where the slugs or the id lead to another one by now. */
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

/** Statuses with which trackers refuse a parameter. */
const isWrong = ({ status }: TrackerReply): boolean => status === 400 || status === 422;

/** Each issue once: a page of a tracker may hold one twice. */
function withoutDoubles(rows: readonly ThirdpartyIssue[]): ThirdpartyIssue[] {
  return [...new Map(rows.map((row) => [String(row.id), row])).values()];
}

function read(session: TrackerSession, question: IssueQuestion, reply: TrackerReply): IssueRows {
  // The rest of the question was good for the first page.
  if (isWrong(reply) && question.cursor !== null) throw badCursor();
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'list the errors', scope: 'event:read' });
  const usable = usedRows(session, 'issue', usableRows([reply.body], 'an error', readIssue));
  const rows = ownRows(session, withoutDoubles(usable));
  return { rows, ...parseLinkHeader(reply.link) };
}

/**
 * Whether the sort is what was refused: the same question is answered without it. The words of a refusal do not tell,
 * they are those of the tracker, in its language.
 */
async function refusesSort(session: TrackerSession, question: IssueQuestion, sortName: string): Promise<boolean> {
  const first = { ...question, cursor: null };
  if (question.cursor !== null && !isWrong(await askOnRoute(session, parameters(session, first, sortName)))) {
    return false;
  }
  return (await askOnRoute(session, parameters(session, first, null))).ok;
}

/** Null when the tracker does not know the sort by this name. */
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
  // The tracker passed over `limit`; the other name may count. If not, the page is cut by who asked.
  dialect.pageSizeName = 'per_page';
  return askSorted(session, question, sortName);
}

const SORT_KEYS: Readonly<Record<ErrorSort, (issue: ThirdpartyIssue) => number>> = {
  last_seen: (issue) => timeOf(issue.lastSeen) ?? 0,
  first_seen: (issue) => timeOf(issue.firstSeen) ?? 0,
  frequency: (issue) => countOf(issue.count) ?? 0,
  users: (issue) => countOf(issue.userCount) ?? 0,
};

/** `down`: the greatest first, as asked; `level`: nothing can be told from this page. */
function orderOf(rows: readonly ThirdpartyIssue[], sort: ErrorSort): 'down' | 'level' | 'mixed' {
  const keys = rows.map(SORT_KEYS[sort]);
  if (keys.some((key, index) => index > 0 && key > (keys[index - 1] ?? key))) return 'mixed';
  return keys[0] === keys.at(-1) ? 'level' : 'down';
}

const sameRows = (one: IssueRows, other: IssueRows): boolean =>
  one.rows.length === other.rows.length && one.rows.every((row, index) => row.id === other.rows[index]?.id);

/** Tries the names of one family. `validates`: the tracker has refused other names, so it looks at them. */
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
  // A page that is in the default order as well proves nothing, unless other names were refused before.
  if (validates || order === 'mixed' || (order === 'down' && orderOf(page.rows, 'last_seen') === 'mixed')) {
    dialect.sortFamily = family;
  }
  return page;
}

async function findSort(session: TrackerSession, question: IssueQuestion): Promise<IssueRows> {
  const { dialect } = session;
  const { sort } = question;
  const known = dialect.sortFamily;
  // What is only known by the kind may be another version's.
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
  // A tracker that refuses names takes the others, in whatever order its rows came.
  for (const family of validates ? passedOver : []) {
    const result = await askInFamily(session, question, family, validates);
    if (typeof result !== 'string') return result;
  }
  dialect.unsupportedSorts.add(sort);
  throw unsupported(`sort by ${sort.replace('_', ' ')}`);
}

/**
 * A page of the project's issues. Throws `unsupported_by_tracker` for a sort that the tracker refuses or passes
 * over in silence, `bad_request` for a cursor it does not take.
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
  return isKnown() ? run(session) : inTurn(session, isKnown, run);
}
