import { servedByIntegrated } from '../../../domain/settings-rules.ts';
import type { TrackingSettings } from '../../../domain/tracking-settings.ts';

/** Converts `my-proj` to `My Proj`. */
function titleOf(slug: string): string {
  return slug
    .split(/[-_ ]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function projectNameOf({ projectName, apiUrl }: TrackingSettings): string | null {
  if (projectName !== null) return projectName;
  // An address may be stored before a project is chosen.
  const slug = /\/api\/0\/projects\/[^/]+\/([^/]+)\/?$/.exec(apiUrl ?? '')?.[1];
  return slug === undefined ? null : titleOf(slug);
}

/**
 * Presents settings. While the integrated backend serves the project, fields of the tracker are hidden but still
 * stored.
 */
export function presentSettings(settings: TrackingSettings, integratedOffered: boolean) {
  const integrated = servedByIntegrated(settings, integratedOffered);
  return {
    active: settings.active,
    project_name: integrated ? null : projectNameOf(settings),
    thirdparty_external_url: integrated ? null : (settings.apiUrl?.replace('api/0/projects/', '') ?? null),
    api_url: integrated ? null : settings.apiUrl,
    integrated,
  };
}
