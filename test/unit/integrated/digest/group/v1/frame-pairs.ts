import type { Frame, NormalisedEvent } from '../../../../../../src/domain/events/event.ts';
import { frame, thrown } from './events.ts';

/** Keeps a stack contributing when the frame in question does not. */
const anchor = frame({ module: 'app.anchor', function: 'anchor' });
export const on = (platform: string, members: Partial<Frame>): NormalisedEvent =>
  thrown(platform, [anchor, frame({ function: 'run', ...members })], { value: 'v' });
export const without = (platform: string): NormalisedEvent => thrown(platform, [anchor], { value: 'v' });
export const functions = (platform: string, a: string | null, b: string | null) =>
  [
    `${a ?? 'no function'} | ${b ?? 'no function'}`,
    on(platform, { module: 'm', function: a }),
    on(platform, { module: 'm', function: b }),
  ] as const;
export const modules = (platform: string, a: string, b: string) =>
  [`${a} | ${b}`, on(platform, { module: a }), on(platform, { module: b })] as const;
export const files = (platform: string, a: string, b: string) =>
  [`${a} | ${b}`, on(platform, { filename: a }), on(platform, { filename: b })] as const;
