import type { SourceRepository } from '../api/links-api.ts';

export type HostName = 'gitlab' | 'github' | 'gitea' | 'bitbucket' | 'other';

/** How hosts address a line, after the address of the repository. Longer endings go first: others end like them. */
const PRESETS: readonly {
  readonly host: HostName;
  readonly name: string;
  readonly ending: string;
  readonly example: string;
}[] = [
  {
    host: 'gitlab',
    name: 'GitLab',
    ending: '/-/blob/{ref}/{path}#L{line}',
    example: 'https://gitlab.com/group/project',
  },
  {
    host: 'github',
    name: 'GitHub',
    ending: '/blob/{ref}/{path}#L{line}',
    example: 'https://github.com/owner/repository',
  },
  {
    host: 'gitea',
    name: 'Gitea or Forgejo',
    ending: '/src/{ref}/{path}#L{line}',
    example: 'https://codeberg.org/owner/repository',
  },
  {
    host: 'bitbucket',
    name: 'Bitbucket',
    ending: '/src/{ref}/{path}#lines-{line}',
    example: 'https://bitbucket.org/workspace/repository',
  },
  { host: 'other', name: 'Another one', ending: '', example: 'https://git.example.com/{ref}/{path}?line={line}' },
];

export const HOSTS = PRESETS.map(({ host, name }) => ({ host, name }));

export function exampleOf(host: HostName): string {
  return PRESETS.find((preset) => preset.host === host)?.example ?? '';
}

/** Returns the template of a host's repository; an address as people copy it may end with a slash or `.git`. */
export function templateOf(host: HostName, address: string): string {
  const ending = PRESETS.find((preset) => preset.host === host)?.ending ?? '';
  const given = address.trim();
  return ending === '' ? given : given.replace(/\/+$/, '').replace(/\.git$/, '') + ending;
}

/** Returns the host and the address of the repository that a template was made of. */
export function presetOf(template: string): { readonly host: HostName; readonly address: string } {
  const found = PRESETS.find(({ ending }) => ending !== '' && template.endsWith(ending));
  if (found === undefined) return { host: 'other', address: template };
  const address = template.slice(0, -found.ending.length);
  return address.includes('{') ? { host: 'other', address: template } : { host: found.host, address };
}

/** What a person enters about the repository. */
export interface RepositoryDraft {
  host: HostName;
  /** Address of the repository; of another host the whole template. */
  address: string;
  defaultRef: string;
  refTemplate: string;
  prefixes: { from: string; to: string }[];
}

export function draftOfRepository(repository: SourceRepository | null): RepositoryDraft {
  if (repository === null) {
    return { host: 'gitlab', address: '', defaultRef: 'main', refTemplate: '', prefixes: [] };
  }
  return {
    ...presetOf(repository.url_template),
    defaultRef: repository.default_ref,
    refTemplate: repository.ref_template,
    prefixes: repository.prefixes.map(({ from, to }) => ({ from, to })),
  };
}

/** Null: no repository. Prefixes without a text are left out. */
export function repositoryOf(draft: RepositoryDraft): SourceRepository | null {
  if (draft.address.trim() === '') return null;
  return {
    url_template: templateOf(draft.host, draft.address),
    default_ref: draft.defaultRef.trim(),
    ref_template: draft.refTemplate.trim(),
    prefixes: draft.prefixes.filter(({ from, to }) => from !== '' || to !== '').map(({ from, to }) => ({ from, to })),
  };
}

/** How hosts address a commit, after the address of the repository. */
const COMMIT_PATHS: Readonly<Partial<Record<HostName, string>>> = {
  gitlab: '/-/commit/',
  github: '/commit/',
  gitea: '/commit/',
  bitbucket: '/commits/',
};

/** Returns the address of a commit; null: the host has none that is known, or the name is none of a commit. */
export function commitLink(commit: string, repository: SourceRepository | null): string | null {
  if (repository === null || !/^[0-9a-f]{7,64}$/i.test(commit)) return null;
  const { host, address } = presetOf(repository.url_template);
  const path = COMMIT_PATHS[host];
  return path === undefined || !/^https?:\/\//i.test(address) ? null : `${address}${path}${commit}`;
}
