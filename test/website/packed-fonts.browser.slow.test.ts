import assert from 'node:assert/strict'
import test from 'node:test'
import { openPage } from '../support/browser.ts'
import { formatsOf } from '../support/packed-fonts.ts'
import { needs } from '../support/programs.ts'
import { runningService } from '../support/running.ts'
import { publishedBrand } from '../support/served-brand.ts'
import { until } from '../support/until.ts'

const formats = Object.entries(await formatsOf('inter-latin-opsz-italic'))
const temporary = await publishedBrand(
  Object.fromEntries(
    formats.flatMap(([format, font]) => [
      [`${format}/project.yaml`, 'visibility: public\ntheme:\n  heading: heading\n'],
      [`${format}/styles/types.yaml`, '- name: Heading\n  family: Inter\n  style: italic\n  weight: 800\n  size: 40\n'],
      [`${format}/pages/heading.md`, '# Hamburgefonstiv\n'],
      [`${format}/files/inter.${format}`, font],
    ]),
  ),
)
const { url } = await runningService(temporary)

test('a heading in a variable font looks the same in each format of the font', needs('chromium'), async () => {
  const { page, complaints } = await openPage({ viewport: { width: 1280, height: 800 } })
  const seen = new Map<string, unknown>()
  for (const [format] of formats) {
    // On a busy machine, the first page may not wait for the facts about the font.
    await until(async () =>
      (await (await fetch(`${url}/acme/${format}/-/exports/fonts.css`)).text()).includes('100 900'),
    )
    await page.goto(`${url}/acme/${format}/heading`)
    await page.evaluate('document.fonts.ready')
    seen.set(format, await page.evaluate(HEADING))
  }
  const expected = seen.get('ttf')
  assert.deepEqual(Object(expected).weights, ['800'])
  assert.deepEqual(seen, new Map(formats.map(([format]) => [format, expected])))
  assert.deepEqual(complaints, [])
})

/** The width of the text of the first heading, and the weights of the fonts that it loaded. */
const HEADING = `(() => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector('h1'))
  const loaded = [...document.fonts].filter(({ status, style }) => status === 'loaded' && style === 'italic')
  return { width: range.getBoundingClientRect().width, weights: [...new Set(loaded.map(({ weight }) => weight))] }
})()`
