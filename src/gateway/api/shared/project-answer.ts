import type { Project } from '../../../domain/projects/project.ts';
import { nullableText, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectUrl } from './error-place.ts';

export const projectSchema = objectSchema({
  title: 'Project',
  properties: {
    id: { type: 'integer' },
    description: nullableText,
    name: { type: 'string' },
    name_with_namespace: { type: 'string' },
    path: { type: 'string' },
    path_with_namespace: { type: 'string' },
    created_at: time,
    web_url: { type: 'string' },
    visibility: { enum: ['private', 'public'] },
    monitor_access_level: { enum: ['enabled', 'disabled'] },
  },
});

export const projectsSchema = { type: 'array', items: projectSchema } as const;

export const acceptedSchema = objectSchema({ title: 'Accepted', properties: { message: { enum: ['202 Accepted'] } } });

const present = presenter(projectSchema);

/** Makes the answer about a project, in the shape of the host. */
export function presentProject(project: Project, externalUrl: string) {
  const segments = project.path.split('/');
  return present({
    ...project,
    description: null,
    nameWithNamespace: [...segments.slice(0, -1), project.name].join(' / '),
    path: segments.at(-1) ?? project.path,
    pathWithNamespace: project.path,
    webUrl: projectUrl({ externalUrl, project }),
    monitorAccessLevel: project.monitorEnabled ? 'enabled' : 'disabled',
  });
}
