import assert from 'node:assert/strict'
import test from 'node:test'
import { addAxe, axeProblems, CHROMIUM, openPage } from '#test/support/browser.ts'
import { runningService } from '#test/support/service.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><path d="M9 9h180v22H9z" fill="#14212b"/></svg>'

test('the smallest size is as wide as it says, also where its box must scroll', CHROMIUM, async () => {
  const { url } = await runningService(
    await publishedBrand({
      'guide/project.yaml': 'visibility: public\n',
      'guide/pages/index.md': '# Home\n\n[Logo](../files/logo.svg?stage)\n\n[Again](../files/logo.svg?stage)\n',
      'guide/files/logo.svg': SVG,
      'guide/files/files.yaml': 'logo.svg: { minWidth: 500, clearSpace: 0.5 }\n',
    }),
  )
  for (const width of [320, 768, 1440])
    for (const path of ['', '/-/file/logo.svg']) {
      const { page } = await openPage({ viewport: { width, height: 900 } })
      await addAxe(page)
      await page.goto(`${url}/acme/guide${path}`)
      assert.deepEqual(await axeProblems(page), [])
      const image = page.locator('.smallest img').first()
      assert.equal((await image.boundingBox())?.width, 500)
      const [start = 0, end = 0] = await image.evaluate(found => {
        const box = found.closest('.reach') ?? found
        const left = found.getBoundingClientRect().left - box.getBoundingClientRect().left
        box.scrollLeft = 500
        return [left, found.getBoundingClientRect().right - box.getBoundingClientRect().right]
      })
      assert.ok(start >= 0 && end <= 0.5)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    }
})
