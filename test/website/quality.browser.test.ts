import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import type { BrowserContextOptions } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { watchShifts } from '../support/layout-shifts.ts'
import { needs } from '../support/programs.ts'
import { runningService } from '../support/running.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const ROOT = join(import.meta.dirname, '../..')
const CORPUS = join(ROOT, '../shared/corpus/18f')

/** Every kind of page there is, in the brands that the examples are. */
const PAGES = [
  '',
  '/logo',
  '/logo/misuse',
  '/color',
  '/typography',
  '/downloads',
  '/-/colors',
  '/-/contrast/ink',
  '/-/contrast?text=white&ground=vermilion',
  '/-/type',
  '/-/files',
  '/-/files/fonts',
  '/-/search',
  '/-/search?q=logo',
  '/-/search?q=zzzz',
  '/-/pages',
  '/gone',
].map(below => `/acme/guidelines${below}`)
const OTHERS = ['/acme/packaging', '/acme/packaging/-/files', '/acme', '/', '/docs', '/nothing']
const OLD = ['', '/logo', '/icons', '/color-palette', '/-/colors', '/-/type', '/-/files'].map(
  below => `/18f/brand${below}`,
)

const temporary = await temporaryStore()
const hasCorpus = existsSync(CORPUS)
for (const folder of [join(ROOT, 'examples/acme'), ...(hasCorpus ? [CORPUS] : [])]) await temporary.show(folder)
const { url } = await runningService(temporary)
const corpus = { skip: hasCorpus ? false : 'the guide of 18F is missing' }

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing wrong on any kind of page, in ${colorScheme} colours`, needs('chromium'), async t => {
    await t.test('in the example guide', () => examine([...PAGES, ...OTHERS], { colorScheme }))
    await t.test('in a large older guide', corpus, () => examine(OLD, { colorScheme }))
  })

for (const [kind, options] of [
  ['360 pixels wide', { viewport: { width: 360, height: 740 } }],
  ['1280 pixels wide at twice the size', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }],
  ['without script', { javaScriptEnabled: false }],
] satisfies [string, BrowserContextOptions][])
  test(`every page shows its content without overflowing the screen: ${kind}`, needs('chromium'), async () => {
    const { page, complaints, requests } = await openPage(options)
    for (const path of [...PAGES, ...OTHERS, ...(hasCorpus ? OLD : [])]) {
      await page.goto(url + path)
      assert.equal(await page.locator('h1').count(), 1, `${path} has one title`)
      assert.ok(await page.locator('h1').isVisible(), path)
      const { width, wanted } = await page.evaluate<{ width: number; wanted: number }>(
        '({ width: document.documentElement.scrollWidth, wanted: innerWidth })',
      )
      assert.ok(width <= wanted, `${path} is ${width} pixels wide`)
    }
    assert.deepEqual(
      complaints.filter(complaint => !complaint.includes('404')),
      [],
    )
    assert.deepEqual(
      requests.filter(address => !address.startsWith(`${url}/`)),
      [],
    )
  })

test(
  'a guide can be read with only the keyboard: past the navigation, through the menu, in the other colour scheme',
  needs('chromium'),
  async () => {
    const { page } = await openPage({ viewport: { width: 700, height: 700 }, colorScheme: 'light' })
    await page.goto(`${url}/acme/guidelines/logo`)
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'Content')

    await page.goto(`${url}/acme/guidelines/logo`)
    assert.equal(await page.locator('#Menu').isVisible(), false)
    for (const name of ['Skip to content', 'Menu']) {
      await page.keyboard.press('Tab')
      assert.equal(await focused(), name)
    }
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('#Menu').isVisible(), true)
    await page.locator(':focus', { hasText: /^\s*Close menu\s*$/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator(':focus', { hasText: /^\s*Menu\s*$/ }).waitFor()
    assert.equal(await page.locator('#Menu').isVisible(), false)

    await page.locator('button.theme').focus()
    await page.keyboard.press('Enter')
    const ground = 'getComputedStyle(document.body).backgroundColor'
    const dark = await page.evaluate(ground)
    await page.goto(`${url}/acme/guidelines/color`)
    assert.equal(await page.evaluate(ground), dark)
    assert.notEqual(dark, 'rgb(255, 255, 255)')

    function focused() {
      return page.evaluate<string>('document.activeElement.textContent.trim()')
    }
  },
)

test('without script, the search form opens a page of results', needs('chromium'), async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  await page.goto(`${url}/acme/guidelines`)
  await page.locator('header input[type=search]').fill('vermilion')
  await page.keyboard.press('Enter')
  await page.locator('main a', { hasText: 'Vermilion' }).first().click()
  assert.equal(page.url(), `${url}/acme/guidelines/-/colors#color-vermilion`)
})

test('on paper a page has only its content, and swatches keep their colours', needs('chromium'), async () => {
  const { page } = await openPage()
  await page.emulateMedia({ media: 'print' })
  for (const path of ['/logo', '/-/colors', '/-/files']) {
    await page.goto(`${url}/acme/guidelines${path}`)
    for (const part of ['header.top', '#Menu']) assert.equal(await page.locator(part).isVisible(), false, part)
    assert.ok(await page.locator('h1').isVisible())
  }
  await page.goto(`${url}/acme/guidelines/-/colors`)
  const adjust = 'getComputedStyle(document.querySelector("main svg")).printColorAdjust'
  assert.equal(await page.evaluate(adjust), 'exact')
})

test('a page is small, and shifts too little during loading for readers to notice', needs('chromium'), async () => {
  const { page } = await openPage({ viewport: { width: 1280, height: 900 } })
  const bodies = new Map<string, Buffer>()
  const shifts = await watchShifts(page)
  page.on('response', async reply => {
    if (!reply.ok()) return
    if (/\.(css|js)$|text\/html/.test(`${reply.headers()['content-type']}`) || /\.(css|js)$/.test(reply.url()))
      bodies.set(reply.url(), await reply.body())
  })
  for (const path of [...PAGES.filter(each => !each.endsWith('/gone')), '/acme/packaging']) {
    bodies.clear()
    await page.goto(url + path, { waitUntil: 'networkidle' })
    assert.ok((bodies.get(url + path)?.length ?? 0) > 500, path)
    const sizeOf = (entries: Iterable<Buffer>) =>
      Array.from(entries, body => brotliCompressSync(body).length).reduce((sum, size) => sum + size, 0)
    assert.ok(sizeOf(bodies.values()) < 26_000, path)
    assert.ok(
      sizeOf(Array.from(bodies).flatMap(([address, body]) => (address.endsWith('.js') ? [body] : []))) < 8000,
      path,
    )
    await shifts.assertSmall(path)
  }
})

async function examine(paths: readonly string[], options: BrowserContextOptions): Promise<void> {
  const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  const { page } = await openPage({ ...options, viewport: { width: 1280, height: 900 } })
  await page.addInitScript(axe)
  for (const path of paths) {
    await page.goto(url + path)
    const found = await page.evaluate<
      string[]
    >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
    assert.deepEqual(found, [], path)
  }
}
