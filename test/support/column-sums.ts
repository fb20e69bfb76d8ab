import type { Locator } from 'playwright-core';

/**
 * Sums of the columns of a chart's table. Its last row alone lacks what was counted before the hour changed, which may
 * happen between two events, and before a page is opened.
 */
export async function columnSums(chart: Locator): Promise<number[]> {
  await chart.locator('tbody tr').first().waitFor();
  const rows = await chart
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replaceAll(/\D/g, '')))),
    );
  return rows.reduce((sums, row) => sums.map((sum, at) => sum + (row[at] ?? NaN)));
}
