/** Copies by selecting text. Pages without https have no clipboard API. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.className = 'sr-only';
  const holder = document.activeElement?.closest('dialog') ?? document.body;
  const focused = document.activeElement;
  holder.append(field);
  field.select();
  // Deprecated, but the only method on plain http.
  const copied = document.execCommand('copy'); // eslint-disable-line @typescript-eslint/no-deprecated
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** Copies a text to the clipboard; true on success. */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}
