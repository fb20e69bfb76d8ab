import type { Mark } from '../../../domain/errors/error-marks.ts';
import {
  choicesOf,
  statusesIn,
  type SearchCondition,
  type SingleCondition,
} from '../../../domain/search/search-condition.ts';
import { ADDRESS_TAGS, soughtAddress, type AddressCondition } from '../../search/address-terms.ts';
import { fileStart, fileTerm, functionStart, functionTerm } from '../../search/search-terms.ts';
import { soughtTags, type SoughtTag, type TextStart } from '../../search/sought-tags.ts';
import { markBounds } from '../../state/marks.ts';
import type { SqlValue } from '../engine/driver.ts';
import type { Filter, FilterScope, Listed } from './listed-tables.ts';
import { typeFilter } from './type-filter.ts';
import { usersNamed } from './user-names.ts';

type Scope = Pick<FilterScope, 'db' | 'projectId' | 'now' | 'sortColumn'>;

/** Conditions that are neither on tags nor on the status. */
type RowCondition = Exclude<SingleCondition, { readonly field: 'status' | 'tag' | 'release' | 'environment' }>;

/** Returns the filter of a condition; null for one on the status, which chooses the parts of the list. */
export function conditionOf(condition: SearchCondition, scope: Scope, listed: Listed): Filter | null {
  if (statusesIn(condition) !== null) return null;
  const { tags, others } = soughtTags(choicesOf(condition));
  const parts = [
    ...tags.map((tag) => tagFilter(listed.rows, tag)),
    ...others.flatMap((single) => (single.field === 'status' ? [] : [holds(single, scope, listed)])),
  ];
  const sql = parts.map((part) => part.sql).join(' OR ');
  const values = parts.flatMap((part) => part.values);
  if (condition.not) return { sql: `NOT (${sql})`, values };
  return { sql: parts.length === 1 ? sql : `(${sql})`, values };
}

function holds(condition: RowCondition, scope: Scope, listed: Listed): Filter {
  const { rows } = listed;
  switch (condition.field) {
    case 'level':
      return { sql: 'e.level = ?', values: [condition.value] };
    case 'type':
      return typeFilter(condition, listed);
    case 'mark':
      return markFilter(condition.value, scope, listed);
    case 'assignee':
      return assigneeFilter(condition.value, scope, listed);
    case 'file': {
      const { value, match } = condition;
      return termFilter(rows, 'files', match === 'prefix' ? `/${fileStart(value)}` : `/${fileTerm(value)}\n`);
    }
    case 'function': {
      const { value, match } = condition;
      return termFilter(
        rows,
        'functions',
        match === 'prefix' ? `.${functionStart(value)}` : `.${functionTerm(value)}\n`,
      );
    }
    case 'url.host':
    case 'url.path':
      return addressFilter(rows, condition);
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
      regressed: ['regressed_at > ?', [reviewAfter]],
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

function assigneeFilter(assignee: number | null, { projectId }: Scope, { merged }: Listed): Filter {
  if (merged === 1) return { sql: 'e.assignee_id IS ?', values: [assignee] };
  const assigned = 'SELECT id FROM errors WHERE project_id = ? AND assignee_id';
  return assignee === null
    ? { sql: `+e.id NOT IN (${assigned} IS NOT NULL)`, values: [projectId] }
    : { sql: `+e.id IN (${assigned} = ?)`, values: [projectId, assignee] };
}

/** Greatest code point, which no text has. */
const LAST = '\u{10ffff}';

/** Returns the bounds of texts that begin so, the second one exclusive. */
function rangesOf({ text, match }: TextStart): [from: string, to: string][] {
  // The sign behind 9 is a colon.
  const versions = [text, `${text} `].map((name): [string, string] => [`${name}0`, `${name}:`]);
  return match === 'name' ? versions : [[text, text + LAST]];
}

/** Errors of which any event had one of the values. Of each error at most as many values are read as are counted. */
export function tagFilter(rows: string, { key, isExact, any, values, starts }: SoughtTag): Filter {
  if (any) {
    return { sql: `EXISTS (SELECT 1 FROM error_tag_keys t WHERE t.error_id ${rows} AND t.key = ?)`, values: [key] };
  }
  const tests = isExact
    ? values.map((value) => ({ sql: 't.value = ?', values: [value] }))
    : [...valueTests(values), ...starts.map(startTest)];
  return {
    sql: `EXISTS (SELECT 1 FROM error_tags t WHERE t.error_id ${rows} AND t.key = ?
      AND (${tests.map(({ sql }) => sql).join(' OR ')}))`,
    values: [key, ...tests.flatMap((test) => test.values)],
  };
}

/** The collation ignores the case of ASCII alone. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/**
 * Returns a filter of values that may equal a text without case, or begin with it. Letters that are not ASCII stand for
 * any text, and those before them too: `İ` in lower case is two characters.
 */
function likeness(text: string, end: '' | '%'): Filter {
  return { sql: 't.value LIKE ?', values: [text.replaceAll(/.?[^a-z0-9 ]+/gs, '%') + end] };
}

/** Tests for values that equal one of the folded texts. */
function valueTests(texts: readonly string[]): Filter[] {
  const ascii = texts.filter(isAscii);
  const [only, another] = ascii;
  const equal =
    another === undefined
      ? { sql: 't.value COLLATE NOCASE = ?', values: [only ?? ''] }
      : { sql: 't.value COLLATE NOCASE IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ascii)] };
  const others = texts
    .filter((text) => !isAscii(text))
    .map((text) => {
      const like = likeness(text, '');
      return { sql: `${like.sql} AND folded(t.value) = ?`, values: [...like.values, text] };
    });
  return only === undefined ? others : [equal, ...others];
}

/** Test for values that begin with a folded text. */
function startTest(start: TextStart): Filter {
  const ranges = rangesOf(start);
  const within = (value: string) => ranges.map(() => `${value} >= ? AND ${value} < ?`).join(' OR ');
  if (isAscii(start.text)) return { sql: within('t.value COLLATE NOCASE'), values: ranges.flat() };
  const like = likeness(start.text, '%');
  return { sql: `${like.sql} AND (${within('folded(t.value)')})`, values: [...like.values, ...ranges.flat()] };
}

/** Values without the sought letters and digits are left out before their terms are made. */
function addressFilter(rows: string, condition: AddressCondition): Filter {
  const sought = soughtAddress(condition);
  if (sought === null) return { sql: 'FALSE', values: [] };
  // The shortest text: all others begin with it.
  const [term = ''] = [...sought.values, ...sought.starts];
  const texts = [...sought.values.map((value) => `${value}\n`), ...sought.starts];
  const keys = condition.field === 'url.path' ? ['url'] : ADDRESS_TAGS;
  return {
    sql: `EXISTS (SELECT 1 FROM error_tags t WHERE t.error_id ${rows}
      AND t.key IN (${keys.map((key) => `'${key}'`).join(', ')}) AND t.value LIKE ?
      AND (${texts.map(() => "instr(address_terms(t.key || ' ' || t.value), ?) > 0").join(' OR ')}))`,
    values: [`%${term.slice(2).replaceAll(/.?[^a-z0-9]+/gs, '%')}%`, ...texts.map((text) => `\n${text}`)],
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
