import { isArtifactNamed, type ArtifactBundle } from '../../../domain/artifacts/artifact.ts';
import { offsetRows } from '../../http/page-links.ts';
import type { ProjectCall } from '../../http/route.ts';

/** Uploads that a search reads at once: their debug ids may be many. */
const READ_AT_ONCE = 100;

interface BundlePage {
  readonly items: readonly ArtifactBundle[];
  /** Uploads on all pages. */
  readonly total: number;
}

type Asked = ProjectCall<{ readonly release?: string; readonly search?: string }>;

/** Reads the page of uploads that is asked for, newest first. */
export async function pageOf(call: Asked): Promise<BundlePage> {
  const { store } = call.deps;
  const { id } = call.project;
  const { release, search } = call.params;
  if (search !== undefined) return searched(call, search);
  const { skip, perPage: limit } = offsetRows(call);
  const all = release === undefined ? await store.bundleUses(id) : await store.bundlesOfRelease(id, release);
  const of = release === undefined ? {} : { release };
  const items = skip < all.length ? await store.listBundles(id, { ...of, skip, limit }) : [];
  return { items, total: all.length };
}

/** Reads the uploads in parts and keeps those of the page: each is compared with the text. */
async function searched(call: Asked, text: string): Promise<BundlePage> {
  const { release } = call.params;
  const of = release === undefined ? {} : { release };
  const { skip, perPage } = offsetRows(call);
  const items: ArtifactBundle[] = [];
  let total = 0;
  for (let at = 0; ; at += READ_AT_ONCE) {
    const part = { ...of, skip: at, limit: READ_AT_ONCE };
    const some = await call.deps.store.listBundles(call.project.id, part);
    for (const bundle of some) {
      if (!isArtifactNamed(bundle, text)) continue;
      if (total >= skip && items.length < perPage) items.push(bundle);
      total += 1;
    }
    if (some.length < READ_AT_ONCE) return { items, total };
  }
}
