import type { Project } from '../../../domain/project.ts';
import { projectUrl } from '../shared/error-place.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentProject(project: Project, externalUrl: string) {
  const segments = project.path.split('/');
  return {
    id: project.id,
    description: null,
    name: project.name,
    name_with_namespace: [...segments.slice(0, -1), project.name].join(' / '),
    path: segments.at(-1) ?? project.path,
    path_with_namespace: project.path,
    created_at: isoTime(project.createdAt),
    web_url: projectUrl({ externalUrl, project }),
    visibility: project.visibility,
    monitor_access_level: project.monitorEnabled ? 'enabled' : 'disabled',
  };
}
