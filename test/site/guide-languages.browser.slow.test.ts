import assert from 'node:assert/strict'
import test from 'node:test'
import { addAxe, axeProblems, CHROMIUM, openPage } from '../support/browser.ts'
import { runningService } from '../support/service.ts'
import { publishedBrand } from '../support/temporary-store.ts'
import { ORIGINAL } from '../support/translated-guide.ts'

const PAGES = {
  ...ORIGINAL,
  'ar/project.yaml': 'name: الدليل\nlang: ar\nvisibility: public\ntranslationOf: guide\n',
  'ar/pages/logo.md': '# الشعار\n',
}

for (const javaScriptEnabled of [true, false])
  test(`the menu of languages fits every window, script: ${javaScriptEnabled}`, CHROMIUM, async () => {
    const { url } = await runningService(await publishedBrand(PAGES))
    for (const width of [320, 700, 1440]) {
      const { page } = await openPage({ viewport: { width, height: 800 }, javaScriptEnabled })
      await page.goto(`${url}/acme/guide/logo`)
      await page.locator('.languages summary').click()
      const link = page.getByRole('link', { name: 'العربية' })
      const box = await link.boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${width}`)
      await link.click()
      await page.waitForURL(`${url}/acme/ar/logo`)
      await page.locator('.languages summary').click()
      const back = await page.getByRole('link', { name: 'English' }).boundingBox()
      assert.ok(back && back.x >= 0 && back.x + back.width <= width, `${width}`)
      await page.context().close()
    }
  })

test('axe accepts the menu of languages and the list of untranslated pages', CHROMIUM, async () => {
  const { url } = await runningService(await publishedBrand(PAGES))
  const { page } = await openPage()
  await page.goto(`${url}/acme/ar`)
  await addAxe(page)
  await page.locator('.languages summary').click()
  assert.equal(await page.locator('#Untranslated').count(), 1)
  assert.deepEqual(await axeProblems(page), [])
  await page.context().close()
})
