import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { addAxe, axeProblems, CHROMIUM, COLOR_RULES } from '../../support/browser.ts'
import { managedGuides } from '../../support/managed-guides.ts'

const { url, signedInAt } = await managedGuides({ latin: 'en', arabic: 'ar' })

for (const workspace of ['latin', 'arabic'])
  test(
    `pages of people with rights, and results of what they do, have no fault that axe knows, and fit at all widths, in both schemes: ${workspace}`,
    CHROMIUM,
    async () => {
      const home = `/${workspace}/guide`
      const page = await signedInAt(home, { reducedMotion: 'reduce' })
      await addAxe(page)
      await page.goto(url + home)
      await page.goto(`${url}${home}/-/files/mark.svg`)
      const open = (path: string) => page.goto(url + path)
      const press = (action: string) => page.locator(`button[name="do"][value="${action}"]`).first().click()
      for (const path of [
        '/',
        `/${workspace}`,
        `/${workspace}/-/manage`,
        `/${workspace}/-/sessions?done=end`,
        `${home}/-/manage/history`,
        `${home}/-/manage/usage`,
        `${home}/-/manage/revision/1`,
        `${home}/-/manage/revision/2/-/changes`,
      ]) {
        await open(path)
        await examine(page, path)
      }
      await open(`${home}/-/manage/links`)
      await page.locator('input[name="of"]').last().check()
      await press('share')
      await examineResult(page, 'a new link')
      await open(`${home}/-/manage/history`)
      await press('restore')
      await examineResult(page, 'a question')
      await open(`${home}/-/manage`)
      await page.locator('details:has(input[name="at"]) summary').click()
      await page.locator('input[name="at"]').fill('2100-01-02T03:04')
      await press('plan')
      await examineResult(page, 'a planned publication')
      await open(`${home}/-/draft/-/changes`)
      await page.locator('textarea[name="comment"]').fill('A larger mark')
      await press('ask')
      await examineResult(page, 'an answer')
      await open(`${home}/-/manage`)
      await press('publish')
      await examineResult(page, 'an open request')
      await page.context().clearCookies()
      await press('publish')
      await examineResult(page, 'a form after the end of the session')
      await page.context().close()
    },
  )

/** Examines the page after a form, whose result has the focus. */
async function examineResult(page: Page, what: string): Promise<void> {
  await page.locator('[role="status"]:focus, [role="alert"]:focus').waitFor()
  await examine(page, what)
}

async function examine(page: Page, what: string): Promise<void> {
  assert.equal(await page.locator('h1').count(), 1, what)
  for (const width of [360, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${what} at ${width}`)
    // The layouts of a phone and of a desk; those between differ only in size.
    if (width === 360 || width === 1280) assert.deepEqual(await axeProblems(page), [], `${what} at ${width}`)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await axeProblems(page, COLOR_RULES), [], `${what} in dark colours`)
  await page.emulateMedia({ colorScheme: 'light' })
}
