import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const sections = Array.from({ length: 12 }, (_, at) => at)
const text = '## One\n\n## Two\n\nText.\n'.replaceAll('\n\n', `\n\n${'A line of text.\n\n'.repeat(40)}`)
const { url } = await runningService(
  await publishedBrand({
    'guide/project.yaml': 'lang: de\nvisibility: public\ntheme: { layout: docs }\n',
    ...Object.fromEntries(
      sections.flatMap(at => [
        [`guide/pages/s${at}.md`, `# Section ${at}\n\n${text}`],
        [`guide/pages/s${at}/a.md`, `---\nnav: Short ${at}\n---\n# A long name ${at}\n\n${text}`],
        [`guide/pages/s${at}/b/c.md`, '# C\n'],
      ]),
    ),
  }),
)
const LAST = `${url}/acme/guide/s11/a`
const isCurrent = `document.querySelector('.toc [aria-current]')?.textContent`

test('the current page is visible in the sidebar, where parents unfold', CHROMIUM, async () => {
  const { page, complaints } = await openPage({ viewport: { width: 1440, height: 600 } })
  await page.goto(LAST)
  const current = page.locator('.side [aria-current]')
  assert.equal(await current.textContent(), 'Short 11')
  const [box, list] = [await current.boundingBox(), await page.locator('.side').boundingBox()]
  assert.ok(box && list && box.y >= list.y && box.y + box.height <= list.y + list.height)
  const other = page.locator('.side').getByRole('link', { name: 'Short 10' })
  assert.equal(await other.isVisible(), false)
  await page.getByLabel('Unterseiten von Section 10').click()
  assert.equal(await other.isVisible(), true)
  assert.deepEqual(complaints, [])
})

test('the list of headings marks the section being read', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 600 } })
  await page.goto(LAST)
  await page.evaluate(`document.getElementById('two').scrollIntoView({ behavior: 'instant' })`)
  await until(page, `${isCurrent} === 'Two'`)
  await page.evaluate(`document.getElementById('one').scrollIntoView({ behavior: 'instant' })`)
  await until(page, `${isCurrent} === 'One'`)
})

test('on a phone, the menu keeps logo and search in view, and closes with Escape', CHROMIUM, async () => {
  const { page, complaints } = await openPage({ viewport: { width: 360, height: 640 } })
  await page.goto(LAST)
  await page.evaluate(`scrollTo({ top: 900, behavior: 'instant' })`)
  const side = page.locator('.side')
  // Playwright’s click would scroll to the menu, although it is in view.
  const open = () => page.evaluate(`document.querySelector('.menu').click()`)
  await open()
  assert.equal(await side.isVisible(), true)
  for (const part of ['.name', '.find', '.close', '.side a'])
    assert.equal(await page.evaluate(isOnTop(part)), true, `${part} is in view and not covered`)
  await page.mouse.wheel(0, 2000)
  assert.equal(await page.evaluate('document.querySelector("main").inert'), true)
  await page.keyboard.press('Escape')
  assert.equal(await side.isVisible(), false)
  await until(page, `Math.abs(scrollY - 900) < 9 && document.activeElement.className === 'menu'`)
  assert.equal(await page.evaluate('location.hash'), '', 'the page is sent to no place that it could still scroll to')
  await open()
  await page.locator('.close').click()
  assert.equal(await side.isVisible(), false)
  await until(page, 'Math.abs(scrollY - 900) < 9')
  assert.deepEqual(complaints, [])
})

test('without script the menu opens and closes, and parents unfold', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 360, height: 640 }, javaScriptEnabled: false })
  await page.goto(LAST)
  await page.locator('.menu').click()
  await page.getByLabel('Unterseiten von Section 10').click()
  assert.equal(await page.locator('.side').getByRole('link', { name: 'Short 10' }).isVisible(), true)
  await page.locator('.close').click()
  assert.equal(await page.locator('.side').isVisible(), false)
})

test('pages are light, dark, or follow the system', CHROMIUM, async () => {
  const { page } = await openPage({ colorScheme: 'dark' })
  await page.goto(LAST)
  const button = page.locator('button.theme')
  const seen: unknown[] = []
  for (let click = 0; click < 4; click++) {
    const scheme = await page.evaluate(`getComputedStyle(document.documentElement).colorScheme`)
    seen.push([await button.textContent(), await button.getAttribute('aria-label'), scheme])
    await button.click()
    await page.reload()
  }
  const system = ['System', 'Darstellung: System', 'light dark']
  assert.deepEqual(seen, [
    system,
    ['Hell', 'Darstellung: Hell', 'light'],
    ['Dunkel', 'Darstellung: Dunkel', 'dark'],
    system,
  ])
})

/** An expression that holds if nothing covers the middle of an element. */
function isOnTop(selector: string): string {
  return `(element => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })(document.querySelector('${selector}'))`
}

/** Waits until an expression holds in a page, whose policy lets no library evaluate it there again and again. */
async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await page.evaluate(expression)) return
    await setTimeout(50)
  }
  assert.fail(`${expression} does not hold after five seconds`)
}
