import { inject, provide, type InjectionKey } from 'vue';
import type { Frame } from '../../lib/event-view.ts';

/** Returns the address of a frame's line in the source repository; null: unknown. */
export type SourceLink = (frame: Frame) => string | null;

const KEY: InjectionKey<SourceLink> = Symbol('source links');

/** Sets the source links of all frames below. */
export function provideSourceLinks(link: SourceLink): void {
  provide(KEY, link);
}

/** Source links of the page. Only web addresses are returned. */
export function useSourceLinks(): SourceLink {
  const link = inject(KEY, () => null);
  return (frame) => {
    const address = link(frame);
    return address !== null && /^https?:\/\//i.test(address) ? address : null;
  };
}
