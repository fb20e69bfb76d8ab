import { isRecord } from '../../../lib/own-property.ts';
import { valueList } from './bounds/value-list.ts';

interface Image {
  readonly start: bigint;
  readonly end: bigint;
}

/** Bytes of a memory page; the smallest size in use. */
const PAGE = 4096n;

/** Maximum number of named frames over all stacks of an event. */
const MAX_NAMED = 2000;

/**
 * Names frames of programs without symbols, which have only a memory address that changes with every start. The offset
 * in the image is constant, so it becomes their file: `synthd+0x41a3`. Without a known image the offset in the memory
 * page is used, because programs are moved by pages. Names only frames without other names. Changes `raw`.
 */
export function nameOffsets(raw: Record<string, unknown>): void {
  const meta = isRecord(raw.debug_meta) ? raw.debug_meta : null;
  if (meta === null && raw.platform !== 'native' && raw.platform !== 'cocoa') return;
  const listed = Array.isArray(meta?.images) ? (meta.images as unknown[]) : [];
  const images = listed.flatMap((image) => imageOf(image) ?? []);
  images.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  let left = MAX_NAMED;
  for (const owner of [raw, ...valueList(raw.exception), ...valueList(raw.threads)]) {
    const stack = isRecord(owner.stacktrace) ? owner.stacktrace.frames : null;
    if (!Array.isArray(stack)) continue;
    for (const frame of stack as unknown[]) {
      if (left === 0) return;
      left -= 1;
      if (isRecord(frame)) nameOffset(frame, images);
    }
  }
}

function imageOf(raw: unknown): Image | null {
  if (!isRecord(raw)) return null;
  const start = addressOf(raw.image_addr);
  if (start === null) return null;
  const size = typeof raw.image_size === 'number' && raw.image_size > 0 ? Math.floor(raw.image_size) : 0;
  return { start, end: start + BigInt(Number.isSafeInteger(size) ? size : 0) };
}

function nameOffset(frame: Record<string, unknown>, images: readonly Image[]): void {
  const name = frame.function ?? frame.raw_function ?? frame.symbol ?? '';
  if (
    (name !== '' && name !== '<unknown>' && name !== '<redacted>') ||
    frame.filename ||
    frame.abs_path ||
    frame.module
  ) {
    return;
  }
  const address = addressOf(frame.instruction_addr);
  if (address === null) return;
  const start = addressOf(frame.image_addr) ?? imageAround(address, images)?.start ?? null;
  const image = typeof frame.package === 'string' ? frame.package.slice(lastSlash(frame.package) + 1) : '';
  const place =
    start === null || start > address ? `~0x${(address % PAGE).toString(16)}` : `0x${(address - start).toString(16)}`;
  frame.filename = `${image}+${place}`;
}

function lastSlash(path: string): number {
  return Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
}

/**
 * Returns the image around an address: the last one that begins at or before it. An image without a size has no end.
 * `images` are sorted.
 */
function imageAround(address: bigint, images: readonly Image[]): Image | undefined {
  let low = 0;
  let high = images.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((images[middle]?.start ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  const image = images[low - 1];
  return image !== undefined && (image.end === image.start || address < image.end) ? image : undefined;
}

function addressOf(raw: unknown): bigint | null {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) && raw >= 0 ? BigInt(raw) : null;
  return typeof raw === 'string' && /^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(raw) ? BigInt(raw) : null;
}
