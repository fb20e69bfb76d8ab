import { isRecord } from '../../lib/own-property.ts';
import type { RemoteProject } from '../tracker-reader.ts';
import { lineText, MAX_NAME } from './remote-values.ts';

const SLUG = /^[\w-]{1,100}$/;
const ID = /^[\w-]{1,64}$/;

/** Reads a project; null without a usable slug. An id of another form than applications can send is null. */
export function remoteProject(row: unknown): RemoteProject | null {
  if (!isRecord(row)) return null;
  const slug = lineText(row.slug, MAX_NAME) ?? '';
  const id = lineText(row.id, MAX_NAME) ?? '';
  if (!SLUG.test(slug)) return null;
  return {
    id: ID.test(id) ? id : null,
    slug,
    name: lineText(row.name, MAX_NAME) ?? slug,
    platform: lineText(row.platform, 64),
  };
}
