import {
  bare,
  named,
  crash,
  nativeSdk,
  cocoa,
  segv,
  engine,
  libc,
  badAccess,
  iosApp,
  system,
} from '../shapes/native.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const nativePairs = [
  // One build without symbols, loaded at two addresses: the offsets into it are the same.
  same(
    'no symbols: the image at another base address',
    ...both({ app: 0x5581_0a20_0000, c: 0x7f3a_8c00_0000 }, { app: 0x55e4_77d1_c000, c: 0x7f91_2040_0000 }, (base) =>
      crash(
        nativeSdk,
        segv,
        [
          bare(libc(base.c), 0x2_9d8f),
          bare(engine(base.app), 0x4_11a3),
          bare(engine(base.app), 0x3_c09e),
          bare(engine(base.app), 0x7_7710),
        ],
        [engine(base.app), libc(base.c)],
      ),
    ),
  ),
  // One dangling pointer of one view controller; address, container and system release differ.
  same(
    'an iOS app in another container and under another iOS',
    ...both(
      {
        container: 'A1E0C6F4-2E64-4E0E-8C7F-8E2B8D0B7C11',
        base: 0x1_02f0_0000,
        at: '0x3f8c21d0a9',
        ui: 'UIApplicationMain',
      },
      {
        container: '77B21D3C-90FA-4B6B-A3D5-1D9C14E0A2F6',
        base: 0x1_0098_4000,
        at: '0x10',
        ui: '-[UIApplication _run]',
      },
      ({ container, base, at, ui }) =>
        crash(
          cocoa,
          badAccess(at),
          [
            named(system('UIKitCore', 0x1_a2b0_0000), ui, 0x44_10c0, false),
            named(iosApp(container, base), 'main', 0x4100, true),
            named(iosApp(container, base), '-[TMRouteViewController mapView:rendererForOverlay:]', 0x2_a1c4, true),
            named(iosApp(container, base), '-[TMElevationLayer strokeColorForGrade:]', 0x2_b020, true),
            named(system('CoreFoundation', 0x1_9f00_0000), 'CFRetain', 0x8_0100, false),
          ],
          [iosApp(container, base)],
          'cocoa',
        ),
    ),
  ),
  // One array accessed past its end at one place; only index and count differ.
  same(
    'NSRangeException with another index',
    ...both('index 4 beyond bounds [0 .. 3]', 'index 18 beyond bounds [0 .. 17]', (bounds) => {
      const image = iosApp('77B21D3C-90FA-4B6B-A3D5-1D9C14E0A2F6', 0x1_0098_4000);
      return crash(
        cocoa,
        {
          type: 'NSRangeException',
          value: `*** -[__NSArrayM objectAtIndexedSubscript:]: ${bounds}`,
          mechanism: { type: 'nsexception', handled: false },
        },
        [
          named(image, '-[TMWaypointList tableView:cellForRowAtIndexPath:]', 0x3_3010, true),
          named(system('CoreFoundation', 0x1_9f00_0000), '-[__NSArrayM objectAtIndexedSubscript:]', 0x1_20a0, false),
          named(system('libobjc', 0x1_9800_0000), 'objc_exception_throw', 0x3c00, false),
        ],
        [image],
        'cocoa',
      );
    }),
  ),
  // A recursive descent into nested groups overflows the stack at another depth.
  same(
    'stack overflow of a parser at another depth',
    ...both(12, 33, (depth) => {
      const image = {
        file: 'C:\\Program Files\\Synth\\synth.exe',
        base: 0x7ff6_10a0_0000,
        id: '3e19c0ba-7f33-4f4f-8a50-20aa7be1c6d0-2',
        type: 'pe',
      };
      return crash(
        ['sentry.native', '0.7.10'],
        {
          type: 'EXCEPTION_STACK_OVERFLOW',
          value: 'Fatal Error: EXCEPTION_STACK_OVERFLOW',
          mechanism: { type: 'minidump', handled: false, synthetic: true },
        },
        [
          named(image, 'synth::patch::load', 0x2_1000, true, { filename: 'patch.cpp', lineno: 31 }),
          ...Array.from({ length: depth }, () => [
            named(image, 'synth::patch::Parser::group', 0x2_2400, true, { filename: 'parser.cpp', lineno: 88 }),
            named(image, 'synth::patch::Parser::item', 0x2_2900, true, { filename: 'parser.cpp', lineno: 120 }),
          ]).flat(),
        ],
        [image],
      );
    }),
  ),
  // Both end in abort() under std::terminate; two functions threw.
  different(
    'one tail of abort frames under two functions',
    ...both('synth::Preset::parameter(int) const', 'synth::midi::EventQueue::peek() const', (thrower) => {
      const image = engine(0x5581_0a20_0000);
      const c = libc(0x7f3a_8c00_0000);
      const cxx = {
        file: '/usr/lib/x86_64-linux-gnu/libstdc++.so.6',
        base: 0x7f3a_8d00_0000,
        id: '6e1a37b3-0000-4000-8000-91b6c1a2d3e4-0',
      };
      return crash(
        nativeSdk,
        {
          type: 'SIGABRT',
          value: 'Abort',
          mechanism: {
            type: 'signalhandler',
            handled: false,
            synthetic: true,
            meta: { signal: { number: 6, name: 'SIGABRT' } },
          },
        },
        [
          named(image, 'main', 0x1000, true, { filename: 'main.cpp', lineno: 40 }),
          named(image, thrower, thrower.includes('Preset') ? 0x3_3000 : 0x6_0800, true),
          named(cxx, 'std::__throw_out_of_range_fmt(char const*, ...)', 0xa_4460, false),
          named(cxx, '__cxa_throw', 0xa_e4d8, false),
          named(cxx, 'std::terminate()', 0xa_e276, false),
          named(c, 'abort', 0x2_87f3, false),
          named(c, 'raise', 0x4_2520, false),
        ],
        [image, cxx, c],
      );
    }),
  ),
  // NSNull answers to no selector; two places of the app took it for two things.
  different(
    'unrecognized selectors sent from two methods',
    ...both(
      { selector: 'length', caller: '-[TMProfileHeader configureWithUser:]', offset: 0x4_0100 },
      { selector: 'objectForKey:', caller: '-[TMWeatherClient parseHourly:]', offset: 0x6_7740 },
      ({ selector, caller, offset }) => {
        const image = iosApp('77B21D3C-90FA-4B6B-A3D5-1D9C14E0A2F6', 0x1_0098_4000);
        return crash(
          cocoa,
          {
            type: 'NSInvalidArgumentException',
            value: `-[NSNull ${selector}]: unrecognized selector sent to instance 0x1f2c6d4a8`,
            mechanism: { type: 'nsexception', handled: false },
          },
          [
            named(image, caller, offset, true),
            named(system('CoreFoundation', 0x1_9f00_0000), '_CF_forwarding_prep_0', 0x9_1160, false),
            named(
              system('CoreFoundation', 0x1_9f00_0000),
              '-[NSObject(NSObject) doesNotRecognizeSelector:]',
              0xf_2a40,
              false,
            ),
            named(system('libobjc', 0x1_9800_0000), 'objc_exception_throw', 0x3c00, false),
          ],
          [image],
          'cocoa',
        );
      },
    ),
  ),
];
