import { readonly, shallowRef } from 'vue';
import { basePath } from '../lib/base-path.ts';

const count = shallowRef(0);
/** Tells the other tabs of this browser. */
const channel = new BroadcastChannel(`errgate-writes ${basePath}`);
channel.addEventListener('message', () => (count.value += 1));

/** Counts the changes that the service has stored for this tab and for others of the browser. Watch it to read again. */
export const writes = readonly(count);

/** Notes that the service has stored a change. */
export function countWrite(): void {
  count.value += 1;
  channel.postMessage(null);
}
