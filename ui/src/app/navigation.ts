import { Bug, CircleUser, FolderOpen, Funnel, HeartPulse, House, Package, Plug, Settings, Users } from '@lucide/vue';
import type { Component } from 'vue';

export interface NavigationEntry {
  readonly label: string;
  /** Name of the route, in the project that is shown. */
  readonly route: string;
  /** Other routes during which the entry counts as the current one. */
  readonly also: readonly string[];
  readonly icon: Component;
  /** Only for people with the Maintainer role. */
  readonly maintainers?: true;
  /** Only where the backend of the project knows releases, which external trackers do not. */
  readonly releases?: true;
  /** Whether the project offers it is not known yet: its place is kept. */
  readonly unknown?: true;
}

export interface NavigationGroup {
  readonly label: string;
  readonly entries: readonly NavigationEntry[];
}

/** What stands beside every page of a project. */
export const projectNavigation: readonly NavigationGroup[] = [
  {
    label: 'Monitor',
    entries: [
      { label: 'Error Tracking', route: 'errors', also: ['error'], icon: Bug },
      { label: 'Releases', route: 'releases', also: [], icon: Package, releases: true },
      { label: 'Outcomes', route: 'outcomes', also: [], icon: Funnel, maintainers: true },
      { label: 'Set-up', route: 'setup', also: [], icon: Plug },
    ],
  },
  {
    label: 'Settings > Monitor',
    entries: [{ label: 'Error Tracking', route: 'settings', also: [], icon: Settings, maintainers: true }],
  },
  {
    label: 'Project',
    entries: [{ label: 'Members', route: 'members', also: [], icon: Users }],
  },
];

/** What stands beside the pages that are about no project. */
export const instanceNavigation: readonly NavigationGroup[] = [
  {
    label: 'You',
    entries: [
      { label: 'Your projects', route: 'start', also: [], icon: House },
      { label: 'Profile', route: 'profile', also: [], icon: CircleUser },
    ],
  },
];

/** The same for administrators. */
export const adminNavigation: readonly NavigationGroup[] = [
  {
    label: 'Administration',
    entries: [
      { label: 'Users', route: 'admin-users', also: [], icon: Users },
      { label: 'Projects', route: 'admin-projects', also: [], icon: FolderOpen },
      { label: 'Outcomes', route: 'admin-outcomes', also: [], icon: Funnel },
      { label: 'Health', route: 'admin-health', also: [], icon: HeartPulse },
    ],
  },
];

/** The groups with what a person with or without the Maintainer role is offered, in a project with or without releases. */
export function offeredNavigation(
  groups: readonly NavigationGroup[],
  has: {
    readonly maintains: boolean;
    /** Null while that is not known. */
    readonly releases: boolean | null;
  },
): NavigationGroup[] {
  return groups
    .map(({ label, entries }) => ({
      label,
      entries: entries
        .filter((entry) => (entry.maintainers !== true || has.maintains) && !(entry.releases && has.releases === false))
        .map((entry) => (entry.releases && has.releases === null ? { ...entry, unknown: true as const } : entry)),
    }))
    .filter(({ entries }) => entries.length > 0);
}
