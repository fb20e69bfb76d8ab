import { initial } from './0001-initial.ts';
import { sessions } from './0002-sessions.ts';
import { webSessions } from './0003-web-sessions.ts';
import { mergedErrors } from './0004-merged-errors.ts';
import { keyUse } from './0005-key-use.ts';
import { protections } from './0006-protections.ts';
import { tokenUse } from './0007-token-use.ts';
import { trackerKind } from './0008-tracker-kind.ts';

/** In order; the index plus one is the schema version a migration leads to. Applied ones never change. */
export const migrations: readonly string[] = [
  initial,
  sessions,
  webSessions,
  mergedErrors,
  keyUse,
  protections,
  tokenUse,
  trackerKind,
];

/** What this program writes into `user_version`. */
export const SCHEMA_VERSION = migrations.length;
