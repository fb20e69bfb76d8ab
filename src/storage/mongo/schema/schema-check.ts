import { AppError } from '../../../domain/app-error.ts';
import type { MongoContext } from '../engine/context.ts';
import { indexGaps, type IndexGaps } from '../engine/indexes.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { CONTROL_COLLECTION } from '../documents/command-documents.ts';
import { reading, writing } from '../engine/operation-options.ts';

/** State of a database's schema. */
export interface SchemaState extends IndexGaps {
  /** Version; null: the database is empty, or its set-up was interrupted. */
  readonly version: number | null;
}

/**
 * Reads the schema without changes. Throws `store_too_new` for that of a later version, and `invalid_configuration` for
 * a database of another program.
 */
export async function readSchema({ connection, collections }: MongoContext): Promise<SchemaState> {
  const found = await collections.control.findOne({ _id: 'schema' }, reading('schema.version', { version: 1 }));
  const version = found?.version ?? null;
  if (version === null) {
    await requireOurs(connection);
    return { version, missing: [], different: [] };
  }
  if (version > SCHEMA_VERSION) {
    throw new AppError(
      'store_too_new',
      `the store has schema version ${version}, this program knows ${SCHEMA_VERSION}: a newer errgate wrote it. ` +
        'Install that version again, or restore a backup made before the upgrade',
    );
  }
  return { version, ...(await indexGaps(collections)) };
}

/** Returns the steps of `migrate`, one sentence each; empty when current. */
export function pendingSteps({ version, missing, different }: SchemaState): string[] {
  if (version === null) return ['set the empty database up'];
  return [
    ...(version < SCHEMA_VERSION ? [`migrate from schema version ${version} to ${SCHEMA_VERSION}`] : []),
    ...missing.map((name) => `make the index ${name}`),
    ...different.map((name) => `recreate the index ${name}: it has other keys or options than expected`),
  ];
}

/** Throws `store_outdated` unless the schema and its indexes are current. */
export function requireCurrent({ version, missing, different }: SchemaState): void {
  if (version === null) {
    throw new AppError('store_outdated', 'the database is not set up: run `errgate migrate` or start `errgate serve`');
  }
  if (version < SCHEMA_VERSION) {
    throw new AppError(
      'store_outdated',
      `the store has schema version ${version}, this program needs ${SCHEMA_VERSION}: run \`errgate migrate\``,
    );
  }
  const wrong = [
    ...(missing.length === 0 ? [] : [`lacks ${listed(missing)}`]),
    ...(different.length === 0 ? [] : [`has other keys or options than it should in ${listed(different)}`]),
  ];
  if (wrong.length > 0) {
    throw new AppError('store_outdated', `the store ${wrong.join(' and ')}: run \`errgate migrate\``);
  }
}

function listed(indexes: readonly string[]): string {
  return `${indexes.length === 1 ? 'the index' : 'the indexes'} ${indexes.join(', ')}`;
}

/** Throws when the user may only read, before the store is used. Changes nothing. */
export async function requireWritable({ collections }: MongoContext): Promise<void> {
  await collections.control.updateOne({ _id: 'schema', version: -1 }, { $set: { version: -1 } }, writing('schema.set'));
}

async function requireOurs(connection: MongoContext['connection']): Promise<void> {
  const collections = (await connection.listCollections()).map(({ name }) => name);
  const others = collections.filter((name) => !name.startsWith('system.'));
  if (others.length > 0 && !others.includes(CONTROL_COLLECTION)) {
    throw new AppError(
      'invalid_configuration',
      `the database ${connection.name} holds another program's data: name a database of its own in store.url`,
    );
  }
}
