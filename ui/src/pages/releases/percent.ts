const format = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });
/** The largest share that is shown as less than all. */
const NEARLY_ALL = 0.9999;

/** Formats a share: `99.95%`. Only a share of 1 reads `100%`, and only a share of 0 reads `0%`. */
export function percent(share: number): string {
  if (share > NEARLY_ALL && share < 1) return `>${format.format(NEARLY_ALL)}`;
  if (share > 0 && share < 1 - NEARLY_ALL) return `<${format.format(1 - NEARLY_ALL)}`;
  return format.format(share);
}
