import { goToSection } from '../../lib/page-sections.ts';

/** Sections of the page that a phone jumps to, by the headings that they have. */
const SECTIONS = [
  'Stack trace',
  'Breadcrumbs',
  'Request',
  'Tags of this event',
  'Feature flags',
  'Activity',
  'Latest users',
  'Tags',
  'Alerts',
] as const;

function headingOf(title: string): HTMLElement | null {
  const headings = [...document.querySelectorAll<HTMLElement>('main section h2')];
  return headings.find((heading) => heading.textContent.trim() === title) ?? null;
}

/** Sections that the page has now, as items of a menu. */
export function presentSections(): { readonly key: string; readonly label: string }[] {
  return SECTIONS.filter((title) => headingOf(title) !== null).map((title) => ({ key: title, label: title }));
}

/** Scrolls to a section and moves the focus to it. */
export function jumpTo(title: string): void {
  const section = headingOf(title)?.closest('section') ?? null;
  if (section !== null) goToSection(section);
}
