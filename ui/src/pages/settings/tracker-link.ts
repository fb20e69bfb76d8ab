import type { TrackerProject, TrackingSettings } from '../../api/settings-api.ts';

/** Field content for a stored token; the token itself never leaves the service. */
export const TOKEN_MASK = '************';

export type ChosenProject = Pick<TrackerProject, 'id' | 'name' | 'slug' | 'organization_name' | 'organization_slug'>;

export interface StoredLink {
  readonly apiHost: string;
  /** Null when no project was chosen. */
  readonly project: ChosenProject | null;
}

/** Parses the stored address: `https://tracker.example/api/0/projects/acme/shop/`. Null without one. */
export function storedLink(settings: TrackingSettings | null): StoredLink | null {
  const address = settings?.api_url ?? null;
  if (settings === null || address === null) return null;
  const [apiHost = '', rest = ''] = address.split('/api/0/projects/');
  const [organization = '', slug = ''] = rest.split('/');
  const project = {
    id: null,
    name: settings.project_name ?? slug,
    slug,
    organization_name: '',
    organization_slug: organization,
  };
  return { apiHost, project: slug === '' ? null : project };
}

/** Label of a project in the list. */
export function projectLabel({ organization_name, organization_slug, slug }: ChosenProject): string {
  return `${organization_name === '' ? organization_slug : organization_name} | ${slug}`;
}

export function isSameProject(a: ChosenProject | null, b: ChosenProject | null): boolean {
  return a?.slug === b?.slug && a?.organization_slug === b?.organization_slug;
}

/** Whether two addresses are equal apart from case and trailing slashes. */
export function isSameHost(a: string, b: string): boolean {
  const plain = (text: string) => text.trim().replace(/\/+$/, '').toLowerCase();
  return plain(a) === plain(b);
}
