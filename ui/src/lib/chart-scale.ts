/** Steps of an axis within a power of ten. */
const STEPS = [1, 2, 4, 5, 10] as const;

/** Returns the end of an axis for counts up to `most`: a round number that is not below it, at least 4. */
export function axisEnd(most: number): number {
  if (most <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = STEPS.find((each) => each * power >= most) ?? 10;
  return step * power;
}
