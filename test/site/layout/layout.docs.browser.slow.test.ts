import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const text = `${'Words in a line of text that is longer than any column. '.repeat(9)}\n\n`
const { url } = await runningService(
  await publishedBrand({
    'guide/project.yaml': 'visibility: public\ntheme: { layout: docs }\n',
    'guide/files/logo.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" rx="20"/></svg>',
    'guide/pages/b.md':
      '---\ncover: { image: ../files/logo.svg, fit: behind }\ndescription: A lead that fills more than a line of the panel\n---\n# B\n',
    'guide/pages/c.md': '---\ncover: ../files/logo.svg\n---\n# C\n',
    'guide/pages/c/d.md': '---\ncover: ../../files/logo.svg\n---\n# D\n',
    'guide/pages/a.md': `# A\n\n${text}## B\n\n${text}## C\n\n${text}`,
  }),
)

const PARTS = ['.top', '#Menu', 'h1', '.prose > p', '.toc', '.name']
/** By the width of the window: the left edge and the width of each part, in px. */
const BOXES: [window: number, boxes: [left: number, width: number][]][] = [
  [390, [[0, 390], [0, 0], [20, 350], [20, 350], [0, 0], [56, 226]]], // biome-ignore format: a table
  [1440, [[0, 1440], [74, 272], [386, 688], [386, 688], [1126, 240], [94, 902]]], // biome-ignore format: a table
  [1920, [[0, 1920], [192, 272], [504, 688], [504, 688], [1488, 240], [212, 1148]]], // biome-ignore format: a table
]

test('the layout docs keeps a list of pages, a column of text and a list of headings', CHROMIUM, async () => {
  const { page } = await openPage()
  for (const [width, boxes] of BOXES) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}/acme/guide/a`)
    const shown = await page.evaluate<[number, number][]>(`${JSON.stringify(PARTS)}.map(part => {
      const { left, width } = document.querySelector(part).getBoundingClientRect()
      return [left, width]
    })`)
    for (const [at, [left, wide]] of boxes.entries()) {
      const [x = 0, w = 0] = shown[at] ?? []
      assert.ok(Math.abs(x - left) <= 8 && Math.abs(w - wide) <= 8, `${PARTS[at]} at ${width}: ${x}, ${w}`)
    }
  }
})

test('covers in the layout docs keep their panel and the place of their picture', CHROMIUM, async () => {
  const { page } = await openPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${url}/acme/guide/b`)
  const measure = (script: string) => page.evaluate<number>(`Math.round(${script})`)
  assert.equal(await measure('document.querySelector(".cover > div").offsetWidth'), 550)
  await page.goto(`${url}/acme/guide/c`)
  assert.equal(await measure('document.querySelector(".cover img").getBoundingClientRect().right'), 1298)
  assert.equal(await measure('document.querySelector(".cover").offsetHeight'), 544)
  await page.goto(`${url}/acme/guide/c/d`)
  assert.equal(await measure('document.querySelector(".cover").offsetHeight'), 320)
  await page.setViewportSize({ width: 800, height: 900 })
  await page.goto(`${url}/acme/guide/c`)
  const edges = ['.content', '.cover img'].map(each => `document.querySelector('${each}').getBoundingClientRect()`)
  assert.equal(await measure(`${edges[0]}.top - ${edges[1]}.bottom`), 56)
})
