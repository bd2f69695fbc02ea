import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator } from 'playwright-core'
import { CHROMIUM, openPage, type WatchedPage } from '../../support/browser.ts'
import { runningService, searchable } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

test('the search of a guide', CHROMIUM, async t => {
  const temporary = await temporaryStore()
  await temporary.show(fileURLToPath(new URL('../../../examples/acme', import.meta.url)))
  const { url } = await runningService(temporary)
  const guide = `${url}/acme/guidelines`
  await searchable(guide) // The browser would report an answer with 503.

  await t.test('shows results during typing, and opens them with only the keyboard', async () => {
    const { page, field, options, complaints } = await open(guide)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('vermil')
    await options.first().waitFor()
    assert.match((await options.first().textContent()) ?? '', /Vermilion Colour #cc3a06/)
    assert.equal(await options.first().locator('rect').getAttribute('fill'), '#cc3a06')
    assert.equal(await options.first().locator('b mark').textContent(), 'Vermilion')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    assert.equal(await field.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'))
    assert.equal(await page.locator('[role=option][aria-selected=true]').count(), 1)
    assert.deepEqual(complaints, [])
    await page.keyboard.press('Enter')
    await page.waitForURL(`${guide}/-/contrast/vermilion`)
  })

  await t.test('asks a service again that is busy', async () => {
    const { page, field, options } = await open(guide)
    const statuses: number[] = []
    page.on('response', reply => {
      if (reply.url().includes('/-/search?')) statuses.push(reply.status())
    })
    await page.route('**/-/search?*', route => route.fulfill({ status: 503 }), { times: 1 })
    await field.fill('logo')
    await options.first().waitFor()
    assert.deepEqual(statuses, [503, 200])
  })

  await t.test('announces its role, the number of results and the choice to screen readers', async () => {
    const { page, field, options } = await open(guide)
    await field.fill('logo')
    await options.first().waitFor()
    const told = await field.evaluate(element => ({
      role: element.role,
      isExpanded: element.ariaExpanded,
      completes: element.ariaAutoComplete,
      controls: element.ownerDocument.getElementById(element.getAttribute('aria-controls') ?? '')?.role,
    }))
    assert.deepEqual(told, { role: 'combobox', isExpanded: 'true', completes: 'list', controls: 'listbox' })
    assert.match((await page.locator('.find [aria-live]').textContent()) ?? '', /^\d+ results$/)
    assert.match((await options.last().textContent()) ?? '', /^All \d+ results$/)
    await field.fill('xylophone')
    await page.locator('.hits p').waitFor()
    assert.equal(await page.locator('.find [aria-live]').textContent(), 'No results')
    assert.match((await options.first().textContent()) ?? '', /^Logo Page/)
    assert.equal(await page.locator('.hits .thumb img').first().isVisible(), true)
  })

  await t.test(
    'closes with Escape, when emptied and when it loses focus; Enter without a choice shows all results',
    async () => {
      const { page, field, options } = await open(guide)
      const list = page.locator('.hits')
      const closings: (() => Promise<void>)[] = [
        () => page.keyboard.press('Escape'),
        () => field.fill(''),
        () => page.keyboard.press('Tab'),
      ]
      for (const close of closings) {
        await field.fill('logo')
        await options.first().waitFor()
        await close()
        await list.waitFor({ state: 'hidden' })
        assert.equal(await field.getAttribute('aria-expanded'), 'false')
      }
      await field.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`${guide}/-/search?q=logo`)
    },
  )

  await t.test('works without script, on a phone, and escapes the search text', async () => {
    const { page, field } = await open(guide, false)
    await field.fill('logo <img src=x>')
    await field.press('Enter')
    await page.waitForURL(/search\?q=logo/)
    assert.equal(await page.locator('main input[type=search]').inputValue(), 'logo <img src=x>')
    assert.equal(await page.locator('main img[src=x]').count(), 0)
    assert.equal(await page.locator('html').evaluate(element => element.scrollWidth), 360)
    await page.locator('.results a').first().click()
    await page.waitForURL(/acme\/guidelines\/logo/)
  })
})

type Opened = WatchedPage & { field: Locator; options: Locator }

async function open(address: string, javaScriptEnabled = true): Promise<Opened> {
  const watched = await openPage({ viewport: { width: 360, height: 800 }, javaScriptEnabled })
  const { page } = watched
  await page.goto(address)
  return { ...watched, field: page.locator('.find input'), options: page.locator('.hits [role=option]') }
}
