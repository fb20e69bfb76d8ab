import {
  Bell,
  Bug,
  ChartColumn,
  CircleUser,
  FileUp,
  FolderOpen,
  FolderTree,
  HeartPulse,
  House,
  MessageSquareText,
  Package,
  Plug,
  ScrollText,
  Settings,
  Users,
} from '@lucide/vue';
import type { Component } from 'vue';
import { MAINTAINER, OWNER } from '../lib/access-levels.ts';

export interface NavigationEntry {
  readonly label: string;
  /** Name of the route within the current project. */
  readonly route: string;
  /** Other routes for which the entry is marked as current. */
  readonly also: readonly string[];
  readonly icon: Component;
  /** Least access level of users who get it; absent: any. */
  readonly needs?: number;
  /** Only for backends with releases, which also map frames and list user reports; external trackers do neither. */
  readonly releases?: true;
  /** The backend does not support the page, or this is not known yet. The entry keeps its place in both cases. */
  readonly state?: 'unknown' | 'unsupported';
}

export interface NavigationGroup {
  readonly label: string;
  readonly entries: readonly NavigationEntry[];
}

/** Menu of all pages of a project. */
export const projectNavigation: readonly NavigationGroup[] = [
  {
    label: 'Monitor',
    entries: [
      { label: 'Error Tracking', route: 'errors', also: ['error'], icon: Bug },
      { label: 'Releases', route: 'releases', also: ['release', 'release-compare'], icon: Package, releases: true },
      { label: 'Uploads', route: 'uploads', also: [], icon: FileUp, releases: true },
      { label: 'User reports', route: 'user-reports', also: [], icon: MessageSquareText, releases: true },
      { label: 'Usage', route: 'outcomes', also: [], icon: ChartColumn, needs: MAINTAINER },
      { label: 'Set-up', route: 'setup', also: [], icon: Plug },
    ],
  },
  {
    label: 'Project',
    entries: [
      { label: 'Members', route: 'members', also: [], icon: Users },
      { label: 'Alerts', route: 'alerts', also: [], icon: Bell, needs: MAINTAINER },
      { label: 'Settings', route: 'settings', also: [], icon: Settings, needs: MAINTAINER },
      { label: 'Audit log', route: 'audit', also: [], icon: ScrollText, needs: OWNER },
    ],
  },
];

/** Menu of pages outside projects. */
export const instanceNavigation: readonly NavigationGroup[] = [
  {
    label: 'You',
    entries: [
      { label: 'Your projects', route: 'start', also: [], icon: House },
      { label: 'Groups', route: 'groups', also: ['group', 'group-audit'], icon: FolderTree },
      { label: 'Profile', route: 'profile', also: [], icon: CircleUser },
    ],
  },
];

/** Additional menu for administrators. */
export const adminNavigation: readonly NavigationGroup[] = [
  {
    label: 'Administration',
    entries: [
      { label: 'Users', route: 'admin-users', also: [], icon: Users },
      { label: 'Projects', route: 'admin-projects', also: [], icon: FolderOpen },
      { label: 'Usage', route: 'admin-outcomes', also: [], icon: ChartColumn },
      { label: 'Audit log', route: 'admin-audit', also: [], icon: ScrollText },
      { label: 'Health', route: 'admin-health', also: [], icon: HeartPulse },
    ],
  },
];

/**
 * Groups with only the entries that the user's role allows. Entries that the project's backend does not support keep
 * their place, so that the menu holds still when the answer arrives.
 */
export function offeredNavigation(
  groups: readonly NavigationGroup[],
  has: {
    /** Access level; 0 while unknown. */
    readonly level: number;
    /** Null while unknown. */
    readonly releases: boolean | null;
  },
): NavigationGroup[] {
  return groups
    .map(({ label, entries }) => ({
      label,
      entries: entries
        .filter(({ needs = 0 }) => has.level >= needs)
        .map((entry): NavigationEntry => {
          if (entry.releases !== true || has.releases === true) return entry;
          return { ...entry, state: has.releases === null ? 'unknown' : 'unsupported' };
        }),
    }))
    .filter(({ entries }) => entries.length > 0);
}
