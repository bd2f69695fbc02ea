import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { CHROMIUM, openPage } from '#test/support/browser.ts'
import { runningService } from '#test/support/service.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'

const FONTS = 'examples/acme/guidelines/files/fonts'
const { url } = await runningService(
  await publishedBrand({
    'type/styles/types.yaml': `- { name: Poster, family: IBM Plex Sans, weight: 600, size: 96, sample: Tools everywhere }
- { name: Heading, family: IBM Plex Sans, weight: 600, size: 64, responsive: true, casing: uppercase, sample: Everywhere }
- { name: Wide, family: IBM Plex Sans, size: 48, tracking: 0.2, sample: Handwerkskammern }
- { name: Body, family: IBM Plex Sans, size: 17 }
`,
    'type/files/regular.woff2': readFileSync(`${FONTS}/IBMPlexSans-Regular-Latin1.woff2`),
    'type/files/semibold.woff2': readFileSync(`${FONTS}/IBMPlexSans-SemiBold-Latin1.woff2`),
    'type/pages/type.md':
      '# Type\n\n[Poster](../styles/types.yaml#poster)\n\n[Heading](../styles/types.yaml#heading)\n',
  }),
)

/** The words in `selector` that are on two lines or beyond the edge of the window. */
const brokenWords = (selector: string) => `document.fonts.ready.then(() =>
  [...document.querySelectorAll('${selector}')].flatMap(element => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const broken = []
    while (walker.nextNode()) for (const { index, 0: word } of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange()
      range.setStart(walker.currentNode, index)
      range.setEnd(walker.currentNode, index + word.length)
      const boxes = [...range.getClientRects()]
      const box = element.parentElement.getBoundingClientRect()
      const isBeyond = boxes.some(({ left, right }) => left < box.left - 1 || right > box.right + 1)
      if (isBeyond || new Set(boxes.map(({ top }) => Math.round(top))).size > 1) broken.push(word)
    }
    return broken
  }))`

test('the words of samples are never broken', CHROMIUM, async () => {
  for (const width of [360, 768, 960, 1440]) {
    const { page } = await openPage({ viewport: { width, height: 800 } })
    for (const [path, selector] of [
      ['-/type', '.specimen [class^=type-], .try p[role]'],
      ['type', '.specimen [class^=type-]'],
    ] as const) {
      await page.goto(`${url}/acme/type/${path}`)
      assert.ok(await page.locator(selector.split(',')[0] ?? '').count(), 'samples exist')
      assert.deepEqual(await page.evaluate(brokenWords(selector)), [], `${path} at ${width}`)
    }
    await page.close()
  }
})
