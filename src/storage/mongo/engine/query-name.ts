import type { KindLabel } from '../../records/kinds.ts';

/** What queries are about, beside kinds of records: collections, or what several of them tell together. */
export const QUERY_SUBJECTS = [
  'aliases',
  'blocks',
  'counters',
  'deleted_errors',
  'deliveries',
  'discarded',
  'error_notes',
  'error_users',
  'errors',
  'events',
  'export',
  'facts',
  'files',
  'forward_states',
  'gateways',
  'group_aliases',
  'hours',
  'import_sources',
  'imported_errors',
  'imported_events',
  'ingest',
  'lease',
  'linked_issues',
  'marks',
  'members',
  'outcomes',
  'own_notes',
  'projects',
  'redirects',
  'release_hours',
  'releases',
  'removed',
  'reports',
  'saved_views',
  'schema',
  'session_rows',
  'slots',
  'stats',
  'sweep',
  'tags',
  'user_names',
] as const;

/**
 * Name of a read or of a filtered write: its subject and what it asks. It is sent as the comment of the query. The
 * explain test reads all names in the sources and fails for one that it has not asked.
 */
export type QueryName = `${(typeof QUERY_SUBJECTS)[number] | KindLabel}.${string}`;
