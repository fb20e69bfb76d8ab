/** Entry of the program that component tests mount in a simulated document. The built pages start at `main.ts`. */
import { mount } from '@vue/test-utils';
import App from './app/App.vue';
import { recoverFocus } from './app/recover-focus.ts';
import { router } from './app/router.ts';

/** Mounts the program as `main.ts` does. The returned function removes it. */
export function open(): () => void {
  recoverFocus();
  const wrapper = mount(App, { global: { plugins: [router] }, attachTo: '#app' });
  return () => wrapper.unmount();
}
