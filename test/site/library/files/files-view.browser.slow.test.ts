import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { CHROMIUM, openPage, watchShifts } from '#test/support/browser.ts'
import { below, FILE_KINDS } from '#test/support/file-kinds.ts'
import { runningService } from '#test/support/service.ts'
import { publishedStore } from '#test/support/temporary-store.ts'

const NAME = 'the list of files shows each picture and font, fits a phone, does not shift visibly and causes no errors'

test(NAME, CHROMIUM, async t => {
  const temporary = await publishedStore('acme/kinds', {
    ...below('kinds', FILE_KINDS),
    'kinds/project.yaml': 'visibility: public\ntheme: none\n',
  })
  const { url } = await runningService(temporary)
  const files = `${url}/acme/kinds/-/files`

  const { page, complaints, shifts } = await open(files, { viewport: { width: 360, height: 740 } })
  for (const picture of await page.locator('.files img').all()) await picture.scrollIntoViewIfNeeded()
  await page.evaluate('Promise.all([document.fonts.ready, ...Array.from(document.images, image => image.decode())])')
  const loaded = 'Array.from(document.querySelectorAll(".files img"), image => image.naturalWidth > 0)'
  assert.deepEqual(await page.evaluate(loaded), [true, true, true, true, true, true])
  assert.deepEqual(await page.evaluate('Array.from(document.fonts, font => font.status)'), ['loaded'])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  await shifts.assertSmall(files)
  assert.deepEqual(complaints, [])

  await t.test('filters by kind and name apply in place, with an address that shows the same list', async () => {
    const { page, complaints } = await open(files)
    await page.getByRole('link', { name: 'Pictures 8' }).click()
    assert.deepEqual([(await shownNames(page)).length, await statusOf(page)], [8, '8 of 15 files'])
    await page.getByLabel('Filter by name').fill('IMAGES lo')
    assert.deepEqual(await shownNames(page), ['Logo'])
    assert.equal(await statusOf(page), '1 of 15 files')
    assert.equal(await page.locator('.folder:visible').count(), 1)
    assert.equal(page.url(), `${files}/pictures?name=IMAGES%20lo`)
    await page.reload()
    assert.deepEqual(await shownNames(page), ['Logo'])
    await page.getByRole('link', { name: 'All 15' }).click()
    await page.waitForURL(`${files}`)
    assert.deepEqual([(await shownNames(page)).length, await statusOf(page)], [15, '15 files'])
    assert.deepEqual(complaints, [])
  })

  await t.test('the keyboard is sufficient to use it', async () => {
    const { page } = await open(files)
    await page.getByRole('link', { name: 'All 15' }).focus()
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    assert.deepEqual(await shownNames(page), ['Broken', 'IBM Plex Sans Regular'])
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab']) await page.keyboard.press(key)
    await page.keyboard.type('plex')
    assert.deepEqual(await shownNames(page), ['IBM Plex Sans Regular'])
    const names: unknown[] = []
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press('Tab')
      names.push(await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText.trim()'))
    }
    const last = [
      'Select IBM Plex Sans Regular',
      'Download plex.woff2: WOFF2 21\u00a0kB',
      'Copy the address of plex.woff2',
    ]
    assert.deepEqual(names.slice(3), last)
  })

  await t.test('selected files are downloaded as one archive, and each download is saved', async () => {
    const { page, complaints } = await open(files)
    assert.equal(await page.locator('.chosen:visible').count(), 0)
    await page.getByRole('checkbox', { name: 'Select Logo' }).check()
    await page.getByRole('checkbox', { name: 'Select App' }).check()
    assert.equal(await page.locator('.chosen button').first().textContent(), 'Download as ZIP (2)')
    assert.equal(await savedBy(page, page.getByRole('button', { name: 'Download as ZIP' })), 'kinds.zip')
    assert.equal(await savedBy(page, page.getByRole('link', { name: 'Download logo.svg: SVG' })), 'logo.svg')
    assert.equal(await savedBy(page, page.getByRole('link', { name: 'Download Fonts as ZIP' })), 'fonts.zip')
    await page.getByRole('button', { name: 'Clear selection' }).click()
    assert.equal(await page.locator('.chosen:visible').count(), 0)
    assert.deepEqual(complaints, [])
  })

  await t.test('a selection lasts in the tab, on other lists too, until it is cleared', async () => {
    const { page, complaints } = await open(files)
    await page.getByRole('checkbox', { name: 'Select Logo' }).check()
    await page.goto(`${files}/fonts`)
    const button = page.getByRole('button', { name: 'Download as ZIP' })
    assert.equal(await button.textContent(), 'Download as ZIP (1)')
    await page.getByRole('checkbox', { name: 'Select IBM Plex Sans Regular' }).check()
    await page.getByRole('link', { name: 'All 15' }).click()
    await page.waitForURL(files)
    assert.equal(await button.textContent(), 'Download as ZIP (2)')
    assert.equal(await page.getByRole('checkbox', { name: 'Select Logo' }).isChecked(), true)
    await page.goto(`${files}/documents`)
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    assert.deepEqual(new URL(download.url()).searchParams.getAll('path').length, 2)
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.goto(files)
    assert.equal(await page.locator('.chosen:visible, :checked:is([type=checkbox])').count(), 0)
    assert.deepEqual(complaints, [])
  })

  await t.test('the list of all files removes those from a selection that it no longer has', async () => {
    const { page, complaints } = await open(files)
    await page.getByRole('checkbox', { name: 'Select Logo' }).check()
    await page.evaluate(`(() => {
      const [key] = Object.keys(sessionStorage)
      sessionStorage.setItem(key, JSON.stringify([...JSON.parse(sessionStorage.getItem(key)), 'files/gone.svg']))
    })()`)
    await page.goto(`${files}/fonts`)
    const button = page.getByRole('button', { name: 'Download as ZIP' })
    assert.equal(await button.textContent(), 'Download as ZIP (2)')
    await page.goto(files)
    assert.equal(await button.textContent(), 'Download as ZIP (1)')
    await page.goto(`${files}/fonts`)
    assert.equal(await savedBy(page, button), 'kinds.zip')
    assert.deepEqual(complaints, [])
  })

  await t.test('radio buttons show pictures on a colour, without a script, and a PNG has the same colour', async () => {
    const { page, complaints } = await open(files, { javaScriptEnabled: false })
    const color = `getComputedStyle(document.querySelector('.tile.ground')).backgroundColor`
    const seen = await savedBy(page, page.getByRole('link', { name: 'Download logo.svg as PNG, 512 px' }))
    assert.equal(seen, 'logo-512.png')
    await page.getByRole('radio', { name: '#000000' }).check()
    assert.equal(await page.evaluate(color), 'rgb(0, 0, 0)')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download logo.svg as PNG, 1024 px' }).click(),
    ])
    assert.match(download.url(), /\/-\/png\/[^/]+\/logo\.svg\.png\?ground=000000&width=1024$/)
    assert.equal(download.suggestedFilename(), 'logo-1024.png')
    assert.deepEqual(complaints, [])
  })

  await t.test('the code of an SVG can be copied', async () => {
    const { page, complaints } = await open(files, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy the code of logo.svg' }).click()
    await page.locator('.copied', { hasText: 'Copied' }).waitFor()
    assert.match(await page.evaluate('navigator.clipboard.readText()'), /^<svg /)
    assert.deepEqual(complaints, [])
  })

  await t.test('without scripts, it filters by kind and offers nothing that needs them', async () => {
    const { page } = await open(files, { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'Fonts 2' }).click()
    await page.waitForURL(`${files}/fonts`)
    assert.deepEqual(await page.locator('.file-name').allInnerTexts(), ['Broken', 'IBM Plex Sans Regular'])
    assert.equal(await page.locator('.narrow:visible, .files .copy:visible').count(), 0)
    await page.getByRole('checkbox', { name: 'Select IBM Plex Sans Regular' }).check()
    assert.equal(await savedBy(page, page.getByRole('button', { name: 'Download as ZIP' })), 'kinds.zip')
  })
})

async function open(address: string, options: BrowserContextOptions = {}) {
  const { page, complaints } = await openPage(options)
  const shifts = await watchShifts(page)
  await page.goto(address)
  return { page, complaints, shifts }
}

/** The file name of the download that a click starts. */
async function savedBy(page: Page, link: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  return download.suggestedFilename()
}

function shownNames(page: Page): Promise<string[]> {
  return page.locator('.files > li:not([hidden]) .file-name').allTextContents()
}

function statusOf(page: Page): Promise<string | null> {
  return page.getByRole('status').textContent()
}
