import type { RawEvent } from '../../pair.ts';
import { failing, type Fields, type Frame } from '../event.ts';

export const hex = (value: number) => `0x${value.toString(16)}`;

export interface Image {
  readonly file: string;
  readonly base: number;
  readonly id: string;
  readonly type?: string;
}

/** A frame with an address only, as a client without symbols sends it. */
export const bare = (image: Image, offset: number): Frame => ({
  instruction_addr: hex(image.base + offset),
  package: image.file,
});

/** A frame that the client, or the symbol server, put a name to. */
export const named = (image: Image, name: string, offset: number, inApp: boolean, place: Fields = {}): Frame => ({
  ...bare(image, offset),
  function: name,
  symbol_addr: hex(image.base + offset - 0x24),
  image_addr: hex(image.base),
  in_app: inApp,
  ...place,
});

export const crash = (
  sdk: readonly [string, string],
  failure: { readonly type: string; readonly value: string; readonly mechanism: Fields },
  frames: readonly Frame[],
  images: readonly Image[],
  platform = 'native',
): RawEvent =>
  failing(platform, sdk, [{ ...failure, frames }], {
    level: 'fatal',
    debug_meta: {
      images: images.map(({ file, base, id, type = 'elf' }) => ({
        type,
        code_file: file,
        debug_id: id,
        image_addr: hex(base),
        image_size: 4_194_304,
      })),
    },
  });

export const nativeSdk = ['sentry.native', '0.7.13'] as const;

export const cocoa = ['sentry.cocoa', '8.41.0'] as const;

export const segv = {
  type: 'SIGSEGV',
  value: 'SegmentationFault',
  mechanism: {
    type: 'signalhandler',
    handled: false,
    synthetic: true,
    meta: { signal: { number: 11, name: 'SIGSEGV' } },
  },
};

export const engine = (base: number): Image => ({
  file: '/opt/synth/bin/synthd',
  base,
  id: '7c3e91f0-5b1d-4a7e-9e0f-2c4cc1d65f3b-0',
});

export const libc = (base: number): Image => ({
  file: '/usr/lib/x86_64-linux-gnu/libc.so.6',
  base,
  id: '962015aa-9d13-3aef-bb32-ca31f00d4c8e-0',
});

export const badAccess = (address: string) => ({
  type: 'EXC_BAD_ACCESS',
  value: `KERN_INVALID_ADDRESS at ${address}.`,
  mechanism: {
    type: 'mach',
    handled: false,
    meta: { mach_exception: { exception: 1, code: 1, name: 'EXC_BAD_ACCESS' } },
  },
});

export const trap = (value: string) => ({
  type: 'EXC_BREAKPOINT',
  value,
  mechanism: {
    type: 'mach',
    handled: false,
    meta: { mach_exception: { exception: 6, code: 1, name: 'EXC_BREAKPOINT' } },
  },
});

export const iosApp = (container: string, base: number): Image => ({
  file: `/private/var/containers/Bundle/Application/${container}/Trailmate.app/Trailmate`,
  base,
  id: '1b6f0a5e-28d4-3b19-8f5b-6a2f9c0d1e77',
  type: 'macho',
});

export const system = (name: string, base: number): Image => ({
  file: `/System/Library/Frameworks/${name}.framework/${name}`,
  base,
  id: '5c3a0000-9f1e-31c2-8d6e-0e2f5a7b9c11',
  type: 'macho',
});
