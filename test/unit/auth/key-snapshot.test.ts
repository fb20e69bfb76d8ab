import assert from 'node:assert/strict';
import { KeySnapshot } from '../../../src/auth/key-snapshot.ts';

const ACCESS = {
  keys: [
    { id: 1, projectId: 42, publicKey: 'glet_abc123' },
    { id: 6, projectId: 46, publicKey: 'glet_neighbour' },
  ],
  aliases: [
    [42, '7001'],
    [42, 'old-shop'],
    [46, 'old-shop'],
    [42, '47'],
  ] as const,
  protections: [
    [42, { sensitiveFields: ['iban'], scrubIps: true, keyEventsPerMinute: 60, projectEventsPerMinute: null }],
  ] as const,
  forwards: [[46, null]] as const,
};

describe('key snapshot', () => {
  for (const [what, snapshot] of [
    ['as made', KeySnapshot.of(ACCESS)],
    ['as read back', KeySnapshot.parse(KeySnapshot.of(ACCESS).text)],
  ] as const) {
    it(`knows the keys that may send, ${what}`, () => {
      assert.ok(snapshot !== null);
      for (let time = 0; time < 2; time += 1) {
        for (const id of ['42', '7001', 'old-shop', '47']) {
          assert.deepEqual(snapshot.find('glet_abc123', id), { projectId: 42, keyId: 1 });
        }
        assert.deepEqual(snapshot.find('glet_neighbour', 'old-shop'), {
          projectId: 46,
          keyId: 6,
          forwardUntil: Infinity,
        });
        assert.equal(snapshot.find('glet_abc123', '46'), null);
        assert.equal(snapshot.find('glet_neighbour', '7001'), null);
        assert.equal(snapshot.find('glet_nobody', '42'), null);
      }
      assert.equal(snapshot.size, 2);
      assert.equal(snapshot.text, KeySnapshot.of(ACCESS).text);
      assert.deepEqual(snapshot.protections, ACCESS.protections);
    });
  }

  it('holds no key that could be sent with', () => {
    assert.doesNotMatch(KeySnapshot.of(ACCESS).text, /glet_/);
  });

  it('takes a file from before there was protection in it', () => {
    assert.deepEqual(KeySnapshot.parse('{"format":1,"keys":[],"aliases":[]}')?.protections, []);
  });

  it('takes aliases of the earlier format', () => {
    const [hash, id, project] = (JSON.parse(KeySnapshot.of(ACCESS).text) as { keys: unknown[][] }).keys[0] ?? [];
    const text = JSON.stringify({ format: 1, keys: [[hash, id, project]], aliases: [[7001, 42]] });
    assert.deepEqual(KeySnapshot.parse(text)?.find('glet_abc123', '7001'), { projectId: 42, keyId: 1 });
  });

  const broken = {
    'half a file': KeySnapshot.of(ACCESS).text.slice(0, -20),
    nothing: '',
    'no object': '3',
    null: 'null',
    'another format': '{"format":3,"keys":[],"aliases":[]}',
    'keys that are none': '{"format":1,"keys":[["x","1",2]],"aliases":[]}',
    'aliases that are none': '{"format":2,"keys":[],"aliases":[[1]]}',
    'aliases of the earlier format': '{"format":2,"keys":[],"aliases":[[7001,42]]}',
    'aliases of the later format': '{"format":1,"keys":[],"aliases":[[42,"7001"]]}',
    'protections that are no list': '{"format":1,"keys":[],"aliases":[],"protections":{}}',
    'a protection without its members': '{"format":1,"keys":[],"aliases":[],"protections":[[1,{"scrubIps":true}]]}',
    'a protection with a limit of none': KeySnapshot.of(ACCESS).text.replace(
      '"keyEventsPerMinute":60',
      '"keyEventsPerMinute":0',
    ),
    'a forward with an end that is none': '{"format":1,"keys":[],"aliases":[],"forwards":[[1,"x"]]}',
    'no keys': '{"format":1,"aliases":[]}',
  };
  for (const [what, text] of Object.entries(broken)) {
    it(`takes ${what} for no snapshot`, () => {
      assert.equal(KeySnapshot.parse(text), null);
    });
  }
});
