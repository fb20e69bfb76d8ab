import assert from 'node:assert/strict';
import { partsOf } from '../support/artifact-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const HOUR = 3_600_000;
let serial = 0;

/** Files of the file area. */
export function filesContract(harness: () => StoreHarness): void {
  const nameOf = (end: string) => `maps/${end.slice(0, 2)}/${end}`;
  /** Prefix that no other test uses. */
  const prefix = () => {
    serial += 1;
    return `chunks/test${serial}/`;
  };
  const textOf = async (name: string) => {
    const content = await harness().store.readFile(name);
    return content === null ? null : Buffer.from(content).toString();
  };

  describe('files', () => {
    it('are written as a whole, and read whole or in parts', async () => {
      const { store } = harness();
      const name = `${prefix()}whole`;
      assert.equal(await store.readFile(name), null);
      assert.equal(await store.openFile(name), null);
      assert.equal(await store.putFile(name, partsOf('one ', 'two ', 'three')), 13);
      assert.equal(await textOf(name), 'one two three');
      const parts: Uint8Array[] = [];
      for await (const part of (await store.openFile(name))!) parts.push(part);
      assert.equal(Buffer.concat(parts).toString(), 'one two three');
    });

    it('of several parts of the store come back byte by byte', async () => {
      const { store } = harness();
      const name = `${prefix()}large`;
      const content = Buffer.alloc(5 * 1024 * 1024, 'ä\0b');
      const parts = async function* () {
        for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
      };
      assert.equal(await store.putFile(name, parts()), content.length);
      assert.ok(content.equals((await store.readFile(name))!));
    });

    it('that are there are kept, and not read again', async () => {
      const { store } = harness();
      const name = `${prefix()}kept`;
      await store.putFile(name, partsOf('first'));
      const unread = async function* (): AsyncGenerator<Uint8Array> {
        yield* [];
        assert.fail('the content is not read');
      };
      assert.equal(await store.putFile(name, unread()), 5);
      assert.equal(await textOf(name), 'first');
    });

    it('that were cut are replaced where their bytes are known', async () => {
      const { store } = harness();
      const name = `${prefix()}cut`;
      await store.putFile(name, partsOf('fir'));
      assert.equal(await store.putFile(name, partsOf('first'), 5), 5);
      assert.equal(await textOf(name), 'first');
      assert.deepEqual(await store.knownFiles([name]), [{ name, bytes: 5 }]);
      assert.equal(await store.putFile(name, partsOf('other'), 5), 5);
      assert.equal(await textOf(name), 'first', 'one with these bytes is kept');
    });

    it('whose content fails are not there', async () => {
      const { store } = harness();
      const name = `${prefix()}failed`;
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from('half');
        throw new Error('the connection ended');
      };
      await assert.rejects(store.putFile(name, failing()));
      assert.equal(await store.readFile(name), null);
      await store.putFile(name, partsOf('whole'));
      assert.equal(await textOf(name), 'whole');
    });

    it('are named in their order, after a name and below a prefix', async () => {
      const { store } = harness();
      const below = prefix();
      const names = ['a', 'a-b/c', 'a/b', 'b/c', 'b/d'].map((end) => `${below}${end}`);
      for (const name of [...names].reverse().filter((each) => each !== `${below}a`))
        await store.putFile(name, partsOf('x'));
      await store.putFile(`${prefix()}z`, partsOf('x'));
      const listed = names.slice(1).sort();
      const list = async (after: string | null, limit = 10) =>
        (await store.listFiles(below, after, limit)).map(({ name }) => name);
      assert.deepEqual(await list(null), listed);
      assert.deepEqual(await list(null, 2), listed.slice(0, 2));
      assert.deepEqual(await list(listed[1]!), listed.slice(2));
      assert.deepEqual(await store.knownFiles([listed[0]!, `${below}nothing`, listed[3]!]), [
        { name: listed[0], bytes: 1 },
        { name: listed[3], bytes: 1 },
      ]);
    });

    it('are removed unless they were written since', async () => {
      const { store } = harness();
      const name = `${prefix()}removed`;
      await store.putFile(name, partsOf('x'));
      const { putAt, bytes } = (await store.listFiles(name, null, 1))[0]!;
      assert.equal(bytes, 1);
      assert.ok(Math.abs(putAt - Date.now()) < HOUR);
      assert.equal(await store.removeFile(name, putAt - HOUR), false);
      assert.equal(await textOf(name), 'x');
      assert.equal(await store.removeFile(name, putAt + HOUR), true);
      assert.equal(await store.removeFile(name, putAt + HOUR), false);
      assert.equal(await store.readFile(name), null);
    });

    it('are renewed without their content', async () => {
      const { store } = harness();
      const name = `${prefix()}renewed`;
      await store.putFile(name, partsOf('x'));
      const putAt = async () => (await store.listFiles(name, null, 1))[0]?.putAt ?? 0;
      const first = await putAt();
      // The clock may stand still for some calls.
      for (let time = 0; time < 1000 && (await putAt()) === first; time += 1) {
        assert.deepEqual(await store.renewFiles([`${name}-not`, name]), [name]);
      }
      assert.ok((await putAt()) > first);
      assert.equal(await store.removeFile(name, first + 0.5), false);
      assert.equal(await textOf(name), 'x');
    });

    it('are there for other processes', async () => {
      const { store, other } = harness();
      const name = nameOf(`ef${serial}0`);
      await store.putFile(name, partsOf('shared'));
      assert.deepEqual(await (await other()).knownFiles([name]), [{ name, bytes: 6 }]);
    });

    it('have no names that lead elsewhere', async () => {
      const { store } = harness();
      for (const name of [
        '../outside',
        'maps/../../outside',
        '/etc/passwd',
        'maps//x',
        'maps/X',
        'maps/_unfinished',
        'alone',
      ]) {
        await assert.rejects(store.putFile(name, partsOf('x')), name);
        await assert.rejects(store.readFile(name), name);
      }
    });
  });
}
