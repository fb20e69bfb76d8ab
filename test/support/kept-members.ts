import { formerMembersKey, readFormerMembers } from '../../src/domain/projects/former-members.ts';
import { openStore } from '../../src/storage/open/open-store.ts';

/** Returns the addresses of members that an import has kept, by the path of the project. */
export async function keptMembers(dataDir: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const store = await openStore({ url: 'sqlite:', dataDir });
  try {
    const kept = (await store.listProjects()).map(async ({ id, path }) => {
      const members = readFormerMembers(await store.importState(formerMembersKey(id)));
      return [path, members.map(({ email }) => email)] as const;
    });
    return new Map(await Promise.all(kept));
  } finally {
    await store.close();
  }
}
