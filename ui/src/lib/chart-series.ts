/** Colour of a series, by what it means. */
export type ChartTone = 'plain' | 'muted' | 'warning' | 'danger' | 'info';

export interface ChartSeries {
  readonly name: string;
  readonly tone: ChartTone;
  /** One count per bucket. */
  readonly counts: readonly number[];
}
