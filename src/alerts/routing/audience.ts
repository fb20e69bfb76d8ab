import { ACCESS_LEVELS, type AccessLevel, type User } from '../../domain/projects/account.ts';
import type { AlertChannel } from '../../domain/alerts/alert-channel.ts';
import {
  type AlertPreferences,
  type AlertRule,
  DEFAULT_ALERTS,
  DEFAULT_PREFERENCES,
  type MailMode,
} from '../../domain/alerts/alert-rule.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import type { Member, Project } from '../../domain/projects/project.ts';

/** Parts of the store that say who gets what. */
export type AudienceStore = Pick<Store, 'projectById' | 'settings' | 'listMembers' | 'userById' | 'projectsOfUser'> &
  Pick<AlertStore, 'projectAlerts' | 'listChannels' | 'alertPreferences'>;

/** Member of a project, as a recipient. */
export interface Listener {
  readonly user: User;
  readonly accessLevel: AccessLevel;
  /** What the person wants of this project. */
  readonly mail: MailMode;
}

/** Project with all that decides where its facts go. */
export interface ProjectAudience {
  readonly project: Project;
  /** True: errors are tracked, and people may see them. */
  readonly active: boolean;
  /** True: errgate stores the errors itself. */
  readonly integrated: boolean;
  /** Without those that are switched off. */
  readonly rules: readonly AlertRule[];
  readonly channels: readonly AlertChannel[];
  /** Members that are not blocked; empty without mail. */
  readonly listeners: readonly Listener[];
}

export interface Person {
  readonly user: User;
  readonly preferences: AlertPreferences;
}

/**
 * Reads each project, and each person, once: a view for one turn of work. Unknown projects and people are null. `mail`
 * false: people get nothing, and are not read.
 */
export class Audience {
  readonly mail: boolean;
  readonly #store: AudienceStore;
  readonly #projects = new Map<number, Promise<ProjectAudience | null>>();
  readonly #people = new Map<number, Promise<Person | null>>();

  constructor(store: AudienceStore, mail: boolean) {
    this.#store = store;
    this.mail = mail;
  }

  project(id: number): Promise<ProjectAudience | null> {
    return remembered(this.#projects, id, () => this.#readProject(id));
  }

  person(userId: number): Promise<Person | null> {
    return remembered(this.#people, userId, () => this.#readPerson(userId));
  }

  async #readPerson(userId: number): Promise<Person | null> {
    const [user, preferences] = await Promise.all([this.#store.userById(userId), this.#store.alertPreferences(userId)]);
    return user === null ? null : { user, preferences: preferences ?? DEFAULT_PREFERENCES };
  }

  async #readProject(id: number): Promise<ProjectAudience | null> {
    const store = this.#store;
    const project = await store.projectById(id);
    if (project === null) return null;
    const [settings, alerts, channels, members] = await Promise.all([
      store.settings(id),
      store.projectAlerts(id),
      store.listChannels(id),
      this.mail ? store.listMembers(id) : [],
    ]);
    const listeners = await Promise.all(
      members.filter(({ blocked }) => !blocked).map((member) => this.#listen(member)),
    );
    return {
      project,
      active: settings?.active === true && project.monitorEnabled,
      integrated: settings?.integrated ?? true,
      rules: (alerts ?? DEFAULT_ALERTS).rules.filter(({ enabled }) => enabled),
      channels,
      listeners: listeners.filter((listener) => listener !== null),
    };
  }

  async #listen({ userId, projectId, accessLevel }: Member): Promise<Listener | null> {
    const person = await this.person(userId);
    if (person === null || person.user.blocked) return null;
    const { mail, projects } = person.preferences;
    const own = projects.find((entry) => entry.projectId === projectId);
    return { user: person.user, accessLevel, mail: own?.mail ?? mail };
  }
}

function remembered<T>(known: Map<number, Promise<T>>, id: number, read: () => Promise<T>): Promise<T> {
  let value = known.get(id);
  if (value === undefined) {
    value = read();
    known.set(id, value);
  }
  return value;
}

/** Returns the members that a rule names, whatever they prefer. */
export function listenersOf({ to }: AlertRule, { listeners }: ProjectAudience): Listener[] {
  return listeners.filter(
    ({ user, accessLevel }) => (to.members && accessLevel >= ACCESS_LEVELS.developer) || to.users.includes(user.id),
  );
}

/** Returns the channels that a rule names and that are switched on. */
export function channelsOf({ to }: AlertRule, { channels }: ProjectAudience): AlertChannel[] {
  return channels.filter(({ id, enabled }) => enabled && (to.channels === 'all' || to.channels.includes(id)));
}
