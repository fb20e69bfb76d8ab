import { readonly, ref } from 'vue';
import { readStored, writeStored } from '../lib/stored.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'errgate.theme';
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

function storedTheme(): Theme {
  const stored = readStored(KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

const chosen = ref<Theme>(storedTheme());

function apply(): void {
  const dark = chosen.value === 'dark' || (chosen.value === 'system' && systemIsDark.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

systemIsDark.addEventListener('change', apply);
apply();

/** Theme chosen by the user. */
export const theme = readonly(chosen);

export function chooseTheme(next: Theme): void {
  chosen.value = next;
  writeStored(KEY, next);
  apply();
}
