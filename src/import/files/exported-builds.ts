import { BUNDLE_KINDS, readDebugId } from '../../domain/artifacts/artifact.ts';
import {
  MAX_COMMITS_OF_RELEASE,
  MAX_DEPLOYS_OF_RELEASE,
  MAX_DIST_LENGTH,
  MAX_FILES_OF_COMMIT,
  MAX_PATH_LENGTH,
  MAX_RELEASE_LENGTH,
  type Deploy,
} from '../../domain/artifacts/build.ts';
import { AppError } from '../../domain/app-error.ts';
import type { ArtifactStore } from '../../domain/ports/stores/artifact-store.ts';
import type { BuildStore, NewCommit } from '../../domain/ports/stores/build-store.ts';
import type { CopiedUpload } from '../../domain/ports/uploads.ts';
import { cleanText, cutText } from '../../lib/text/clean-text.ts';
import type { ExportRows } from './export-rows.ts';
import { type FileRow, formOf, memberOf, objectsOf, textOf, timeOf, wordOf } from './row-values.ts';

export type TakeUpload = (upload: CopiedUpload, content: AsyncIterable<Uint8Array>) => Promise<void>;

type BuildsStore = Pick<
  BuildStore,
  'buildRelease' | 'saveBuildRelease' | 'commitsOfRelease' | 'putCommits' | 'deploysOfRelease' | 'addDeploy'
>;

const MAX_TEXT = 1000;

/** Takes over the releases that builds announced. What a build announced here stays. Returns their number. */
export async function takeBuilds(store: BuildsStore, rows: ExportRows): Promise<number> {
  let builds = 0;
  await rows.eachUncounted('builds', async (row) => {
    const release = textOf(row, 'version', MAX_RELEASE_LENGTH);
    const projectId = rows.projectOf(memberOf(row, '_errgate'), `release ${release ?? ''}`)?.projectId;
    if (projectId === undefined || release === null) return;
    builds += 1;
    const here = await store.buildRelease(projectId, release);
    const refs = objectsOf(row, 'refs').map((ref) => ({
      repository: textOf(ref, 'repository', MAX_TEXT) ?? '',
      commit: textOf(ref, 'commit', MAX_TEXT) ?? '',
      previousCommit: textOf(ref, 'previousCommit', MAX_TEXT),
    }));
    const patch = {
      url: here?.url ?? textOf(row, 'url', MAX_TEXT),
      startedAt: here?.startedAt ?? timeOf(row, 'dateStarted'),
      releasedAt: here?.releasedAt ?? timeOf(row, 'dateReleased'),
      refs: here === null || here.refs.length === 0 ? refs.slice(0, MAX_COMMITS_OF_RELEASE) : here.refs,
    };
    await store.saveBuildRelease(projectId, release, patch, timeOf(row, 'dateCreated') ?? rows.at);
    await addDeploys(store, projectId, release, objectsOf(row, 'deploys').slice(-MAX_DEPLOYS_OF_RELEASE));
  });
  await takeCommits(store, rows);
  return builds;
}

async function addDeploys(store: BuildsStore, projectId: number, release: string, given: readonly FileRow[]) {
  const known = new Set((await store.deploysOfRelease(projectId, release)).map(nameOfDeploy));
  for (const row of given) {
    const finishedAt = timeOf(row, 'dateFinished');
    const environment = textOf(row, 'environment', MAX_TEXT);
    if (finishedAt === null || environment === null) continue;
    const [name, url] = [textOf(row, 'name', MAX_TEXT), textOf(row, 'url', MAX_TEXT)];
    const deploy = { projectId, release, environment, name, url, startedAt: timeOf(row, 'dateStarted'), finishedAt };
    if (!known.has(nameOfDeploy(deploy))) await store.addDeploy(deploy);
  }
}

/** A deploy has no id of its own in an export. */
const nameOfDeploy = ({ environment, name, finishedAt }: Omit<Deploy, 'id'>): string =>
  JSON.stringify([environment, name, finishedAt]);

/** The commits of a release follow each other. */
async function takeCommits(store: BuildsStore, rows: ExportRows): Promise<void> {
  let open: { readonly projectId: number; readonly release: string; readonly commits: NewCommit[] } | null = null;
  const write = async (): Promise<void> => {
    if (open === null) return;
    const { projectId, release, commits } = open;
    if ((await store.commitsOfRelease(projectId, release, 1)).length > 0) return;
    await store.putCommits(projectId, release, commits.slice(0, MAX_COMMITS_OF_RELEASE));
  };
  await rows.eachUncounted('commits', async (row) => {
    const own = memberOf(row, '_errgate');
    const release = textOf(own, 'version', MAX_RELEASE_LENGTH);
    const projectId = rows.projectOf(own, `commit of ${release ?? ''}`)?.projectId;
    const commit = commitOf(row);
    if (projectId === undefined || release === null || commit === null) return;
    if (open?.projectId !== projectId || open.release !== release) {
      await write();
      open = { projectId, release, commits: [] };
    }
    if (open.commits.length < MAX_COMMITS_OF_RELEASE) open.commits.push(commit);
  });
  await write();
}

function commitOf(row: FileRow): NewCommit | null {
  const commit = textOf(row, 'id', MAX_TEXT);
  if (commit === null) return null;
  const files: readonly unknown[] = Array.isArray(row['files']) ? row['files'] : [];
  const left = row['files_left_out'];
  return {
    commit,
    repository: textOf(row, 'repository', MAX_TEXT),
    authorName: textOf(row, 'author_name', MAX_TEXT),
    authorEmail: textOf(row, 'author_email', MAX_TEXT),
    message: textOf(row, 'message'),
    at: timeOf(row, 'timestamp'),
    files: files
      .slice(0, MAX_FILES_OF_COMMIT)
      .flatMap((file) => (typeof file === 'string' ? [cutText(cleanText(file), MAX_PATH_LENGTH)] : [])),
    filesLeftOut: Number.isSafeInteger(left) && Number(left) > 0 ? Number(left) : 0,
  };
}

/** Opens the uploads that are not here yet, as if a build tool had sent them. Returns the number of all. */
export async function takeUploads(
  store: Pick<ArtifactStore, 'bundle'>,
  rows: ExportRows,
  take: TakeUpload,
): Promise<number> {
  let uploads = 0;
  await rows.eachUncounted('uploads', async (row) => {
    const own = memberOf(row, '_errgate');
    const checksum = formOf(row, 'checksum', /^[0-9a-f]{40}$/);
    const what = `upload ${checksum}`;
    const projectId = rows.projectOf(own, what)?.projectId;
    if (projectId === undefined) return;
    uploads += 1;
    if ((await store.bundle(projectId, checksum))?.complete === true) return;
    const content = rows.reader.content(textOf(row, 'content', MAX_TEXT) ?? '');
    if (content === null) {
      rows.leaveOut(what, 'the export does not have its content');
      return;
    }
    const ids: readonly unknown[] = Array.isArray(row['debug_ids']) ? row['debug_ids'] : [];
    const upload: CopiedUpload = {
      ...{ projectId, checksum },
      kind: wordOf(row, 'kind', BUNDLE_KINDS),
      release: textOf(row, 'version', MAX_RELEASE_LENGTH),
      dist: textOf(row, 'dist', MAX_DIST_LENGTH),
      debugIds: ids.flatMap((id) => (typeof id === 'string' ? (readDebugId(id) ?? []) : [])),
      uploadedAt: timeOf(own, 'uploaded') ?? rows.at,
      lastUsedAt: timeOf(own, 'last_used'),
    };
    try {
      await take(upload, content);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
      rows.leaveOut(what, error.message, 'mend');
    }
  });
  return uploads;
}
