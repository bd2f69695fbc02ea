import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../support/browser.ts'
import { runningService, searchable } from '../support/service.ts'
import { publishedBrand } from '../support/temporary-store.ts'

const PAGES = Object.fromEntries(['index', 'logo', 'color', 'type'].map(id => [id, `# ${id}\n\nA logo.\n`]))
const pagesOf = (project: string) => Object.entries(PAGES).map(([id, text]) => [`${project}/pages/${id}.md`, text])
const { url } = await runningService(
  await publishedBrand({
    'docs/project.yaml': 'visibility: public\ntheme: { layout: docs }\n',
    ...Object.fromEntries(['guide', 'docs'].flatMap(pagesOf)),
  }),
)

test('a list of few pages and results of a search fill wide windows in each layout', CHROMIUM, async () => {
  const { page } = await openPage()
  for (const project of ['guide', 'docs']) {
    await searchable(`${url}/acme/${project}`)
    for (const width of [1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${url}/acme/${project}/-/pages`)
      const columns = await page.evaluate<number[]>(lefts('.index > ul > li'))
      assert.equal(new Set(columns).size, 4, `${project} at ${width}`)
      assert.ok(await page.evaluate(reachesEnd('.index > ul > li:last-child')), `${project} at ${width}`)
      await page.goto(`${url}/acme/${project}/-/search?q=logo`)
      const [name = 0, found = 0] = await page.evaluate<number[]>(lefts('.results a, .results p:last-child'))
      assert.ok(found - name > width / 6, `${project} at ${width}`)
      assert.ok(await page.evaluate(reachesEnd('.results li')), `${project} at ${width}`)
    }
  }
})

test('a page of one sentence fills its line, and the next page begins there', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/acme/guide/logo`)
  assert.ok(
    (await page.evaluate<number>('parseFloat(getComputedStyle(document.querySelector(".lead")).fontSize)')) > 50,
  )
  const [sentence = 0, next = 0] = await page.evaluate<number[]>(lefts('.lead, [rel=next]'))
  assert.ok(Math.abs(sentence - next) < 1, `${sentence} and ${next}`)
})

/** In the browser: the left edges of elements. */
function lefts(selector: string): string {
  return `Array.from(document.querySelectorAll('${selector}'), each => each.getBoundingClientRect().left)`
}

/** In the browser: whether an element ends where the footer does. */
function reachesEnd(selector: string): string {
  return `(() => {
    const [box, end] = ['${selector}', 'footer p:last-child'].map(each => document.querySelector(each).getBoundingClientRect().right)
    return Math.abs(box - end) <= 2
  })()`
}
