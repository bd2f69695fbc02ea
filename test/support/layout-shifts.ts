import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Records how far the content of a page moves while it loads. */
export type LayoutShifts = {
  /** Asserts that the shifts of the current document are small; the message names the elements that moved. */
  assertSmall: (path: string) => Promise<void>
}

/**
 * The largest sum of all shifts in a document. Web Vitals call a Cumulative Layout Shift of 0.1 good
 * (https://web.dev/articles/cls). A busy browser paints a page before it has all of it, so that a header moves by about
 * 0.001, and a specimen whose font is late by about 0.02; a picture without a size moves what is below it by more than 0.1.
 */
const MAX_SHIFT = 0.05

/** Starts recording before the page loads. Shifts inside the controls of a player have no element, and do not count. */
export async function watchShifts(page: Page): Promise<LayoutShifts> {
  await page.addInitScript(
    'globalThis.shifts = []; new PerformanceObserver(list => { for (const { value, sources } of list.getEntries()) { const nodes = sources.flatMap(({ node }) => node?.outerHTML ?? node?.data ?? []); if (nodes.length > 0) shifts.push({ value, nodes }) } }).observe({ type: "layout-shift", buffered: true })',
  )
  return {
    assertSmall: async path => {
      const shifts = await page.evaluate<{ value: number; nodes: string[] }[]>('shifts')
      const total = shifts.reduce((sum, { value }) => sum + value, 0)
      const moved = shifts.flatMap(({ nodes }) => nodes.map(node => node.slice(0, 200)))
      assert.ok(total < MAX_SHIFT, `${path} moves by ${total}: ${moved.join(' | ')}`)
    },
  }
}
