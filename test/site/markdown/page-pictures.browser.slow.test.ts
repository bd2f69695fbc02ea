import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const { url } = await runningService(
  await publishedBrand({
    'guide/project.yaml': 'visibility: public\ntheme: { layout: docs }\n',
    'guide/pages/photo.md': '# Photo\n\nText below.\n\n![A plane](plane.webp "In use")\n',
    'guide/pages/plane.webp': readFileSync('examples/acme/guidelines/files/pictures/plane.webp'),
  }),
)

test('in the layout docs, a large photograph ends at the wide edge', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/acme/guide/photo`)
  const [photograph, text, column] = await Promise.all(
    ['.prose img', '.prose > p', '.prose'].map(selector => page.locator(selector).boundingBox()),
  )
  assert.ok(photograph && text && column)
  assert.equal(Math.round(photograph.width), Math.round(column.width))
  assert.equal(text.width, 43 * 16)
  assert.ok(column.width > text.width)
})
