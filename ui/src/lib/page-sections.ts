import { computed, inject, onBeforeUnmount, onMounted, provide, shallowRef } from 'vue';
import type { ComputedRef, InjectionKey, Ref, ShallowRef } from 'vue';

/** Section that is on the page now. */
export interface PageSection {
  /** Part of the address after `#`. */
  readonly id: string;
  readonly title: string;
  readonly element: HTMLElement;
}

const SECTIONS: InjectionKey<ShallowRef<readonly PageSection[]>> = Symbol('sections');

/** Collects the sections below a component, in the order of the page. */
export function providePageSections(): ComputedRef<readonly PageSection[]> {
  const sections = shallowRef<readonly PageSection[]>([]);
  provide(SECTIONS, sections);
  const isBefore = (a: PageSection, b: PageSection) =>
    (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return computed(() => [...sections.value].sort((a, b) => (isBefore(a, b) ? -1 : 1)));
}

/** Lists a section while it is on the page. Returns its id; undefined on pages without a list of sections. */
export function usePageSection(title: string, element: Readonly<Ref<HTMLElement | null>>): string | undefined {
  const sections = inject(SECTIONS, null);
  if (sections === null) return undefined;
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  onMounted(() => {
    if (element.value !== null) sections.value = [...sections.value, { id, title, element: element.value }];
  });
  onBeforeUnmount(() => (sections.value = sections.value.filter((section) => section.id !== id)));
  return id;
}

/** Scrolls to a section and moves the focus to it. */
export function goToSection(section: HTMLElement): void {
  section.tabIndex = -1;
  section.scrollIntoView({ block: 'start' });
  section.focus({ preventScroll: true });
}
