import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import type { ListRequest } from './access/paged-list.ts';
import type { ProjectNames } from './project-names.ts';
import { smallList, type SmallListOptions } from './small-list.ts';
import type { SourceAccess } from './access/source-access.ts';
import type { SourceDialect } from './source-dialect.ts';

const MAX_RENAMES = 3;

/**
 * Reads a list below a project, as `smallList` does. Begins again when the project was renamed meanwhile; rows may come
 * twice then. `path`: from the present slug.
 */
export async function* projectList(
  of: { readonly access: SourceAccess; readonly dialect: SourceDialect; readonly names: ProjectNames },
  project: string,
  path: (slug: string) => string,
  options: SmallListOptions,
  query: ListRequest['query'] = [],
): AsyncGenerator<{ readonly row: unknown; readonly reply: TrackerReply }> {
  const { access, dialect, names } = of;
  const { signal } = options;
  for (let renames = 0; ; renames += 1) {
    const list = { path: path(names.slugOf(project)), query, sizeName: dialect.pageSize, skipRow: dialect.skipRow };
    const refusals: TrackerReply[] = [];
    let isEmpty = true;
    for await (const found of smallList(access, list, { ...options, refused: (reply) => refusals.push(reply) })) {
      isEmpty = false;
      yield found;
    }
    const [reply] = refusals;
    if (renames < MAX_RENAMES) {
      if (reply !== undefined && (await names.wasRenamed(project, reply, signal))) continue;
      if (reply === undefined && isEmpty && dialect.emptyForUnknown && (await names.recheck(project, signal))) continue;
    }
    if (reply !== undefined) options.refused(reply);
    return;
  }
}
