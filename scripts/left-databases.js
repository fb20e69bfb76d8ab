/** Databases that the tests of a run left behind: processes of `mocha --parallel` end without dropping theirs. */
import { mongo } from 'mongoose';

/** Drops the databases of the run `run` (`ERRGATE_TEST_RUN` of its processes) on the engine at `uri`. */
export async function dropLeftDatabases(uri, run) {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5000 });
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const left = databases.filter(({ name }) => name.startsWith(`errgate_test_${run}_`));
    for (const { name } of left) await client.db(name).dropDatabase();
  } catch (error) {
    console.error(`errgate: databases of this run may be left behind: ${error.message}`);
  } finally {
    await client.close();
  }
}
