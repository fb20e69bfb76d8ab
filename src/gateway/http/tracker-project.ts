import type { TrackerProject } from '../../domain/tracker-project.ts';

export function presentTrackerProject(project: TrackerProject) {
  return {
    id: project.id,
    name: project.name,
    status: project.status,
    slug: project.slug,
    organization_name: project.organizationName,
    organization_id: project.organizationId,
    organization_slug: project.organizationSlug,
  };
}
