import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Records the layout shifts of a page while it loads. */
export type LayoutShifts = {
  /** Asserts that the shifts of the current document are small; the message names the elements that moved. */
  assertSmall: (path: string, max?: number) => Promise<void>
}

/**
 * The maximum sum of all shifts in a document. Web Vitals call a Cumulative Layout Shift of 0.1 good
 * (https://web.dev/articles/cls). A busy browser paints an incomplete page, which moves a header by about 0.001, and a
 * specimen with a late font by about 0.02. A picture without a size moves the content below it by more than 0.1.
 */
const MAX_SHIFT = 0.05

/** Starts recording before the page loads. Shifts inside the controls of a player have no element, and do not count. */
export async function watchShifts(page: Page): Promise<LayoutShifts> {
  await page.addInitScript(
    'globalThis.shifts = []; new PerformanceObserver(list => { for (const { value, sources } of list.getEntries()) { const nodes = sources.flatMap(({ node }) => node?.outerHTML ?? node?.data ?? []); if (nodes.length > 0) shifts.push({ value, nodes }) } }).observe({ type: "layout-shift", buffered: true })',
  )
  return {
    assertSmall: async (path, max = MAX_SHIFT) => {
      const shifts = await page.evaluate<{ value: number; nodes: string[] }[]>('shifts')
      const total = shifts.reduce((sum, { value }) => sum + value, 0)
      const moved = shifts.flatMap(({ nodes }) => nodes.map(node => node.slice(0, 200)))
      assert.ok(total < max, `${path} moves by ${total}: ${moved.join(' | ')}`)
    },
  }
}
