import { bare, named, crash, nativeSdk, cocoa, segv, engine, libc, trap, iosApp, system } from '../shapes/native.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const nativePairs = [
  // Symbols are there; another standard library's inline namespace and another address read.
  same(
    'a C++ crash with libc++ of the NDK and of the desktop',
    ...both(
      { ns: '__1', base: 0x1_0420_0000, lineno: 118 },
      { ns: '__ndk1', base: 0x7a_1c30_0000, lineno: 121 },
      ({ ns, base, lineno }) =>
        crash(
          nativeSdk,
          segv,
          [
            named(engine(base), 'synth::Mixer::render(float*, unsigned long)', 0x9_0010, true, {
              filename: 'mixer.cpp',
              abs_path: '/home/dev/synth/src/mixer.cpp',
              lineno,
            }),
            named(
              engine(base),
              `synth::Voice::next(std::${ns}::vector<float, std::${ns}::allocator<float>>&)`,
              0x9_2044,
              true,
              { filename: 'voice.cpp', abs_path: '/home/dev/synth/src/voice.cpp', lineno: 56 },
            ),
            named(
              engine(base),
              `std::${ns}::vector<float, std::${ns}::allocator<float>>::operator[](unsigned long)`,
              0x9_2200,
              false,
              { filename: 'vector', lineno: 1399 },
            ),
          ],
          [engine(base)],
        ),
    ),
  ),
  // One index into one array; Swift's message names its source, the closure was renumbered.
  same(
    'a Swift closure with another number',
    ...both(
      { closure: 'closure #1 in RouteStore.reload()', value: 'Index out of range' },
      {
        closure: 'closure #2 in RouteStore.reload()',
        value: 'Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range',
      },
      ({ closure, value }) => {
        const image = iosApp('A1E0C6F4-2E64-4E0E-8C7F-8E2B8D0B7C11', 0x1_02f0_0000);
        return crash(
          cocoa,
          trap(value),
          [
            named(system('libdispatch', 0x1_8010_0000), '_dispatch_call_block_and_release', 0x2a10, false),
            named(image, closure, 0x5_1180, true, { filename: 'RouteStore.swift', lineno: 74 }),
            named(image, 'RouteStore.segment(after:)', 0x5_1500, true, { filename: 'RouteStore.swift', lineno: 102 }),
          ],
          [image],
          'cocoa',
        );
      },
    ),
  ),
  // One JNI function of one library; Android installs every version under random names.
  same(
    'an Android library under another install path',
    ...both(
      {
        path: '/data/app/~~qX0b1vWm3Gk2Zs9yQ5tVfA==/com.trailmate.app-8nLr1Zb2cV0q7Tt3pYk4dw==/lib/arm64/libelevation.so',
        base: 0x71_4c2d_0000,
      },
      {
        path: '/data/app/~~Jm2zP0yTt8s1Qe4rW7uXaA==/com.trailmate.app-Kd93bC5vN1mZx0LqWe2RtQ==/lib/arm64/libelevation.so',
        base: 0x7b_0190_8000,
      },
      ({ path, base }) => {
        const image = { file: path, base, id: 'd4e07bb1-3f0c-97a2-61be-1a40c2937f55-0' };
        return crash(
          ['sentry.native.android', '0.7.8'],
          segv,
          [
            named(
              {
                file: '/apex/com.android.runtime/lib64/bionic/libc.so',
                base: base + 0x900_0000,
                id: '00000000-aaaa-0000-0000-000000000001-0',
              },
              '__pthread_start(void*)',
              0xb_63b0,
              false,
            ),
            named(image, 'Java_com_trailmate_elevation_Profile_nativeSmooth', 0x1_8040, true),
            named(image, 'gaussian_window', 0x1_9c28, true),
          ],
          [image],
        );
      },
    ),
  ),
  // One build without symbols, and two places of it that are far apart.
  different(
    'no symbols: two places of one image',
    ...both([0x4_11a3, 0x3_c09e, 0x7_7710], [0x4_11a3, 0x5_90f2, 0x1_2cc8], (offsets) =>
      crash(
        nativeSdk,
        segv,
        [bare(libc(0x7f3a_8c00_0000), 0x2_9d8f), ...offsets.map((offset) => bare(engine(0x5581_0a20_0000), offset))],
        [engine(0x5581_0a20_0000), libc(0x7f3a_8c00_0000)],
      ),
    ),
  ),
  // memcpy is where two callers with two wrong lengths crash.
  different(
    'an access violation in memcpy of two callers',
    ...both(
      { name: 'synth::wav::Writer::append', filename: 'wav_writer.cpp', lineno: 72 },
      { name: 'synth::ui::Waveform::Upload', filename: 'waveform.cpp', lineno: 210 },
      ({ name, ...place }) => {
        const image = {
          file: 'C:\\Program Files\\Synth\\synth.exe',
          base: 0x7ff6_10a0_0000,
          id: '3e19c0ba-7f33-4f4f-8a50-20aa7be1c6d0-2',
          type: 'pe',
        };
        const runtime = {
          file: 'C:\\Windows\\System32\\vcruntime140.dll',
          base: 0x7ffb_0120_0000,
          id: 'a3c1d2e4-5f60-4718-92ab-cdef01234567-1',
          type: 'pe',
        };
        return crash(
          ['sentry.native', '0.7.10'],
          {
            type: 'EXCEPTION_ACCESS_VIOLATION_READ',
            value: 'Fatal Error: EXCEPTION_ACCESS_VIOLATION_READ / 0x1f4a20c0000',
            mechanism: { type: 'minidump', handled: false, synthetic: true },
          },
          [
            named(
              {
                file: 'C:\\Windows\\System32\\kernel32.dll',
                base: 0x7ffb_1000_0000,
                id: 'b0b0b0b0-1111-4222-8333-444455556666-1',
                type: 'pe',
              },
              'BaseThreadInitThunk',
              0x1_7374,
              false,
            ),
            named(image, name, place.lineno * 64, true, place),
            named(runtime, 'memcpy', 0x1_2f0, false),
          ],
          [image, runtime],
        );
      },
    ),
  ),
  // Force-unwraps of nil in two view models, both run by one button and one dispatch queue.
  different(
    'nil unwrapped in two Swift functions',
    ...both(
      { name: 'SubscriptionModel.restore()', filename: 'SubscriptionModel.swift', lineno: 58 },
      { name: 'OfflineMapModel.freeSpace.getter', filename: 'OfflineMapModel.swift', lineno: 31 },
      ({ name, ...place }) => {
        const image = iosApp('A1E0C6F4-2E64-4E0E-8C7F-8E2B8D0B7C11', 0x1_02f0_0000);
        return crash(
          cocoa,
          trap('Unexpectedly found nil while unwrapping an Optional value'),
          [
            named(
              system('SwiftUI', 0x1_b400_0000),
              'partial apply for closure #1 in Button.init(action:label:)',
              0x10_2200,
              false,
            ),
            named(image, name, place.lineno * 128, true, place),
            named(system('libswiftCore', 0x1_9300_0000), '_assertionFailure(_:_:file:line:flags:)', 0x3_a8b0, false),
          ],
          [image],
          'cocoa',
        );
      },
    ),
  ),
];
