import assert from 'node:assert/strict';
import { goldenEvents } from './golden-events.ts';
import { keyOf } from './events.ts';

/**
 * Version 1 is frozen: stored errors are found again by these keys. When this test fails the rules have
 * changed; leave the keys as they are and make the change in a version of its own.
 */
const keys: Readonly<Record<string, string>> = {
  nothing: 'd2022182efdd321c65b7798e00b2485b',
  message: '436706a8d285fd5bd33c01347e8c6796',
  'message template': '2c58ef1aad72dd7e60bdd9c33c39e05a',
  'message of three lines': '1bf58db7b02dd8c337a474573afd4159',
  'message with every kind of parameter': '30bda15ef87f3a1b69f5a05705b22109',
  'custom fingerprint': 'd5b92801f83d8987bc93b514e0a6afd9',
  'hybrid fingerprint': 'c59c4b275f9815b317a1f14931f9eace',
  'legacy checksum': '2a3af7a5b9dadba08eb2c98b4d3a6298',
  'exception without a stack': '3c140ddfba7842cf59ba50ec71e51ba1',
  python: 'e116aa3e5bf60167cdec481ecc3d75e3',
  'system variant': '32c11fdd7b2be80af874acae51bf94f3',
  'message with a body and lists': '7a6ab69b1e6fde388e5b519fb80b3f08',
  'template that says nothing': '50466163dec549cfbcdb3fa225a8cd7a',
  'stack that was used up': '9083bf2b84fb772e641eabf269330f29',
  middleware: 'c53445566c909174f0bdb478f5649650',
  'script without names': 'f3062760108d05956d79ab680e006e34',
  recursion: '29015de3afa7a1bc2ec1b6641faef165',
  chain: '0f1bfe848aeb114559acad5f0f1ee400',
  'exception group': '624e290ede2f3d4e19344d74ced564ff',
  'exception group of one kind': 'c41c939bf44511072033dca9911b8735',
  synthetic: 'f1204f5e492b3d58682622155ef3e5fa',
  thread: 'b5f32b4b12cd3b12704ce152a7c1e053',
  browser: 'f0186e9d768f060f91539cb62dd050c9',
  node: 'f701434d98d91a36fe10e8900b37edf6',
  ruby: '26f7be947affa6bd8b88cfaf6b10f910',
  php: '98783f8f3676347c276a90dc6e962d48',
  java: '90099c33ffa14312c67928986f862d72',
  go: '3f4df13c88e2ef9be8f77f5cba9ab7e6',
  rust: 'dd4aef46586908041a4230859e794de0',
  csharp: 'e21de429fa035ad93750d94ddd67f3f2',
};

describe('group v1: frozen keys', () => {
  for (const [name, subject] of Object.entries(goldenEvents)) {
    it(name, () => assert.equal(keyOf(subject), keys[name]));
  }

  it('has a key for every event, all different', () => {
    assert.deepEqual(Object.keys(keys).sort(), Object.keys(goldenEvents).sort());
    assert.equal(new Set(Object.values(keys)).size, Object.keys(keys).length);
  });
});
