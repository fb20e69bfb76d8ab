import { openStore } from '../../src/storage/open/open-store.ts';

/** Entry of a second process: changes keys and settings of a project while the first one applies batches. */
const [dataDir = '', projectId = '', rounds = ''] = process.argv.slice(2);
const store = await openStore({ url: 'sqlite:', dataDir });
for (let round = 0; round < Number(rounds); round += 1) {
  await store.createKey(Number(projectId), `child_${round}`);
  await store.saveSettings(Number(projectId), { projectName: `round ${round}` });
}
await store.close();
