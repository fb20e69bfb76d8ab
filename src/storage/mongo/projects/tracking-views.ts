import type { IngestAccess } from '../../../domain/ports/stores/tracking-store.ts';
import { forwards, projectAliases } from '../../records/kinds/project-kinds.ts';
import { protections } from '../../records/kinds/tracking-kinds.ts';
import { toProtection } from '../../records/tracking-records.ts';
import type { MongoContext } from '../engine/context.ts';
import { LIST_LIMIT_MS, reading } from '../engine/operation-options.ts';
import { mongoRecords } from '../records/mongo-records.ts';

/** Reads the version before the rows: a change in between has another version. */
export async function ingestAccess(context: MongoContext, known: string | null): Promise<IngestAccess | null> {
  const { collections } = context;
  const version = await ingestVersion(context);
  if (version === known) return null;
  const limit = { maxTimeMS: LIST_LIMIT_MS };
  const sending = await collections.settings
    .find({ active: true, integrated: true }, { ...reading('ingest.projects', { _id: 1 }), ...limit })
    .toArray();
  const ofThem = { projectId: { $in: sending.map(({ _id }) => _id) }, active: true };
  const records = mongoRecords(context);
  const [keys, aliases, overrides, targets] = await Promise.all([
    collections.clientKeys
      .find(ofThem, { ...reading('ingest.keys', { projectId: 1, publicKey: 1 }), ...limit })
      .sort({ _id: 1 })
      .toArray(),
    records.list(projectAliases, {}),
    records.list(protections, {}),
    records.list(forwards, {}),
  ]);
  return {
    version,
    keys: keys.map(({ _id, projectId, publicKey }) => ({ id: _id, projectId, publicKey })),
    aliases: aliases.map(({ projectId, alias }) => [projectId, alias] as const),
    protections: overrides.map(toProtection),
    forwards: targets.map(({ projectId, until }) => [projectId, until] as const),
  };
}

/** Returns the version. It changes with every reported change, and once more when an announced one has expired. */
async function ingestVersion({ collections, now }: MongoContext): Promise<string> {
  const found = await collections.control.findOne(
    { _id: 'ingest' },
    reading('ingest.version', { version: 1, until: 1 }),
  );
  return `${found?.version ?? 0}${(found?.until ?? 0) > now() ? '+' : ''}`;
}
