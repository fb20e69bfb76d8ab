import type { Mark } from '../../../domain/error-marks.ts';
import type { SearchCondition } from '../../../domain/search-condition.ts';
import { fileTerm, functionTerm } from '../../search-terms.ts';
import { markBounds } from '../../state/marks.ts';
import type { SqlValue } from '../driver.ts';
import type { Filter, FilterScope, Listed } from './listed-tables.ts';
import { usersNamed } from './user-names.ts';

type Scope = Pick<FilterScope, 'db' | 'projectId' | 'now' | 'sortColumn'>;

/** Returns the filter of a condition; null for one on the status, which chooses the parts of the list. */
export function conditionOf(condition: SearchCondition, scope: Scope, listed: Listed): Filter | null {
  if (condition.field === 'status') return null;
  const { sql, values } = holds(condition, scope, listed);
  return { sql: condition.not ? `NOT (${sql})` : sql, values };
}

function holds(
  condition: Exclude<SearchCondition, { readonly field: 'status' }>,
  scope: Scope,
  listed: Listed,
): Filter {
  const { rows } = listed;
  switch (condition.field) {
    case 'level':
      return { sql: 'e.level = ?', values: [condition.value] };
    case 'type':
      return typeFilter(condition.value);
    case 'mark':
      return markFilter(condition.value, scope, listed);
    case 'assignee':
      return assigneeFilter(condition.value, scope, listed);
    case 'release':
    case 'environment':
      return tagFilter(rows, condition.field, condition.value);
    case 'tag':
      return condition.value === null
        ? {
            sql: `EXISTS (SELECT 1 FROM error_tag_keys t WHERE t.error_id ${rows} AND t.key = ?)`,
            values: [condition.key],
          }
        : tagFilter(rows, condition.key, condition.value);
    case 'file':
      return termFilter(rows, 'files', `/${fileTerm(condition.value)}\n`);
    case 'function':
      return termFilter(rows, 'functions', `.${functionTerm(condition.value)}\n`);
    case 'user':
      return userFilter(listed, usersNamed(scope.db, scope.projectId, condition.value));
    case 'first_seen':
    case 'last_seen':
      return timeFilter(condition.field, condition);
  }
}

/**
 * Errors with a mark. Marked single errors are read from the index of the mark at once, and no row of the list is
 * looked up for it; the sign keeps the list in the order of its own index.
 */
export function markFilter(mark: Mark, { projectId, now }: Scope, { merged }: Listed): Filter {
  const { newAfter, escalatedAfter, reviewAfter } = markBounds(now);
  const [marked, values] = (
    {
      new: ['first_seen > ?', [newAfter]],
      regressed: ['regressed_at IS NOT NULL', []],
      escalating: ['escalated_at > ?', [escalatedAfter]],
      unhandled: ['unhandled = 1', []],
      for_review: ['review_at > ?', [reviewAfter]],
    } as const satisfies Record<Mark, readonly [string, readonly SqlValue[]]>
  )[mark];
  // Mostly all errors of a project are unhandled, or none: asking each row is cheaper than to collect them.
  if (merged === 1 || mark === 'unhandled') {
    const open = mark === 'new' || mark === 'unhandled' ? '' : 'e.status = 0 AND ';
    return { sql: `(${open}coalesce(e.${marked}, 0))`, values };
  }
  // What the index of the mark has; members of merged errors do no harm, because `e` is none.
  const indexed = {
    new: 'AND status IN (0, 1, 2) AND merged_into IS NULL',
    for_review: 'AND merged_into IS NULL AND status = 0',
    regressed: 'AND +status = 0',
    escalating: 'AND +status = 0',
  };
  const only = indexed[mark];
  return {
    sql: `+e.id IN (SELECT id FROM errors WHERE project_id = ? ${only} AND ${marked})`,
    values: [projectId, ...values],
  };
}

/** Errors of a type, or of one that ends with it behind a separator. */
function typeFilter(type: string): Filter {
  const { length } = Array.from(type);
  const end = "substr(coalesce(e.type, ''), ?, ?)";
  return {
    sql: `(coalesce(e.type, '') = ? COLLATE NOCASE OR (${end} = ? COLLATE NOCASE
      AND (${end} IN ('.', '\\', '/') OR ${end} = '::')))`,
    values: [type, -length, length, type, -length - 1, 1, -length - 2, 2],
  };
}

function assigneeFilter(assignee: number | null, { projectId }: Scope, { merged }: Listed): Filter {
  if (merged === 1) return { sql: 'e.assignee_id IS ?', values: [assignee] };
  const assigned = 'SELECT id FROM errors WHERE project_id = ? AND assignee_id';
  return assignee === null
    ? { sql: `+e.id NOT IN (${assigned} IS NOT NULL)`, values: [projectId] }
    : { sql: `+e.id IN (${assigned} = ?)`, values: [projectId, assignee] };
}

function tagFilter(rows: string, key: string, value: string): Filter {
  return {
    sql: `EXISTS (SELECT 1 FROM error_tags t WHERE t.error_id ${rows} AND t.key = ? AND t.value = ?)`,
    values: [key, value],
  };
}

function termFilter(rows: string, column: 'files' | 'functions', text: string): Filter {
  return {
    sql: `EXISTS (SELECT 1 FROM error_terms t WHERE t.error_id ${rows} AND instr(t.${column}, ?) > 0)`,
    values: [text],
  };
}

/** `users`: hashes in hex. */
function userFilter({ merged, rows }: Listed, users: readonly string[]): Filter {
  const affected = `SELECT u.error_id FROM error_users u INDEXED BY error_users_by_user
    WHERE u.user_hash IN (SELECT unhex(value) FROM json_each(?))`;
  const sql = merged === 0 ? `+e.id IN (${affected})` : `EXISTS (${affected} AND u.error_id ${rows})`;
  return { sql, values: [JSON.stringify(users)] };
}

function timeFilter(
  column: 'first_seen' | 'last_seen',
  { after, before }: { readonly after: number | null; readonly before: number | null },
): Filter {
  return {
    sql: `+e.${column} BETWEEN ? AND ?`,
    values: [after ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER],
  };
}
