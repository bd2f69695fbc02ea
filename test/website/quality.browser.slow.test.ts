import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import type { BrowserContextOptions, ViewportSize } from 'playwright-core'
import { addAxe, axeProblems, CHROMIUM, COLOR_RULES, openPage, watchShifts } from '../support/browser.ts'
import { guidePages } from '../support/guide-addresses.ts'
import { needs } from '../support/programs.ts'
import { runningService, searchable } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const ROOT = join(import.meta.dirname, '../..')
const CORPUS = join(ROOT, '../shared/corpus/18f')

/** Every kind of page there is, in the brands that the examples are. */
const PAGES = [
  ...guidePages({ page: 'logo', color: 'ink', list: 'fonts', path: 'logo/acme-logo.svg', name: 'ibm-plex-sans' }),
  ...`
    /logo/misuse /color /typography /downloads /-/contrast?text=white&ground=vermilion /-/search?q=logo
    /-/search?q=zzzz /gone
  `
    .trim()
    .split(/\s+/),
].map(below => `/acme/guidelines${below}`)
const OTHERS = ['/acme/packaging', '/acme/packaging/-/files', '/acme', '/', '/docs', '/nothing']
const OLD = ['', '/logo', '/icons', '/color-palette', '/-/colors', '/-/type', '/-/files'].map(
  below => `/18f/brand${below}`,
)
/** Arabic fonts of the system, for a guide in Arabic. */
const [KUFI, NASKH] = ['Kufi', 'Naskh'].map(name => `/usr/share/fonts/truetype/noto/Noto${name}Arabic-Regular.ttf`)

const temporary = await temporaryStore()
const hasCorpus = existsSync(CORPUS)
for (const folder of [join(ROOT, 'examples/acme'), ...(hasCorpus ? [CORPUS] : [])]) await temporary.show(folder)
const hasArabic = [KUFI, NASKH].every(path => path !== undefined && existsSync(path))
if (hasArabic && KUFI && NASKH)
  await temporary.publishing('lafz/guide', {
    'guide/project.yaml': 'lang: ar\nvisibility: public\ntheme: { heading: unwan, body: matn }\n',
    'guide/styles/types.yaml':
      '- { name: عنوان, id: unwan, family: Noto Kufi Arabic, size: 40 }\n- { name: متن, id: matn, family: Noto Naskh Arabic, size: 18 }\n',
    'guide/files/kufi.ttf': readFileSync(KUFI),
    'guide/files/naskh.ttf': readFileSync(NASKH),
    'guide/pages/index.md': `# لفظ\n\nنطبع الكتاب كما نحب أن نقرأه.\n\n${'نطبع الكتاب كما نحب أن نقرأه: سطر مريح، وهامش واسع، وحرف لا يستعجل القارئ.\n\n'.repeat(6)}`,
  })
const { url } = await runningService(temporary)
await searchable(`${url}/acme/guidelines`)
const corpus = needs('../shared')

test('axe finds nothing wrong on any kind of page, in light and dark colours', CHROMIUM, async t => {
  await t.test('in the example guide', () => examine([...PAGES, ...OTHERS]))
  await t.test('in a large older guide', corpus, () => examine(OLD))
})

const PHONE = { width: 360, height: 740 }
const TWICE = { width: 640, height: 450 }
for (const [kind, options, sizes] of [
  ['360 pixels wide, and 1280 pixels wide at twice the size', { deviceScaleFactor: 2 }, [PHONE, TWICE]],
  ['without script', { javaScriptEnabled: false }, [{ width: 1280, height: 720 }]],
] satisfies [string, BrowserContextOptions, ViewportSize[]][])
  test(`every page shows its content without overflowing the screen: ${kind}`, CHROMIUM, async () => {
    const { page, complaints, requests } = await openPage(options)
    for (const path of [...PAGES, ...OTHERS, ...(hasCorpus ? OLD : [])]) {
      await page.goto(url + path)
      assert.equal(await page.locator('h1').count(), 1, `${path} has one title`)
      for (const size of sizes) {
        await page.setViewportSize(size)
        assert.ok(await page.locator('h1').isVisible(), path)
        const width = await page.evaluate<number>('document.documentElement.scrollWidth')
        assert.ok(width <= size.width, `${path} is ${width} pixels wide`)
      }
    }
    const unexpected = complaints.filter(complaint => !complaint.includes('404'))
    assert.deepEqual(unexpected, [])
    const others = requests.filter(address => !address.startsWith(`${url}/`))
    assert.deepEqual(others, [])
  })

test('a guide can be read with only the keyboard, in both colour schemes', CHROMIUM, async () => {
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
})

test('on paper a page has only its content, and swatches keep their colours', CHROMIUM, async () => {
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

test('a page is small, and shifts too little during loading for readers to notice', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1280, height: 900 } })
  const sizes = new Map<string, Promise<number>>()
  const loaded = new Set<string>()
  const shifts = await watchShifts(page)
  page.on('response', reply => {
    const [address, type] = [reply.url(), `${reply.headers()['content-type']}`]
    if (!reply.ok() || !(type.startsWith('text/html') || /\.(css|js)$/.test(address))) return
    loaded.add(address)
    if (!sizes.has(address))
      sizes.set(
        address,
        reply.body().then(body => brotliCompressSync(body).length),
      )
  })
  // A first revision has no changes, and a small library no pages of folders.
  for (const path of [...PAGES.filter(each => !/\/(?:gone|changes)$|\/-\/folder\//.test(each)), '/acme/packaging']) {
    loaded.clear()
    await page.goto(url + path, { waitUntil: 'networkidle' })
    const sizeOf = async (addresses: string[]) => {
      const each = await Promise.all(addresses.map(address => sizes.get(address)))
      return each.reduce<number>((sum, size = 0) => sum + size, 0)
    }
    const sizeOfAll = (pattern: RegExp) => sizeOf([...loaded].filter(name => pattern.test(name)))
    const [all, script] = [await sizeOfAll(/./), await sizeOfAll(/\.js$/)]
    // Without the samples of type styles, which are content.
    const style = await sizeOfAll(/\/(?:assets\/.+|theme)\.css$/)
    assert.ok((await sizeOf([url + path])) > 300, path)
    assert.ok(all < 30_000, `${path} has ${all} bytes`)
    assert.ok(script < 8000, `${path} has ${script} bytes of script`)
    // 14,500 for its kind of page, and the theme of the guide.
    assert.ok(style <= 17_000, `${path} has ${style} bytes of style`)
    await shifts.assertSmall(path)
  }
})

const LATE_MS = 500
const LATE: ReadonlySet<string> = new Set(['font', 'image', 'media'])
const MOVABLE = [
  ...['', '/logo', '/color', '/film', '/-/colors', '/-/type', '/-/files', '/-/search?q=logo', '/gone'].map(
    below => `/acme/guidelines${below}`,
  ),
  ...(hasArabic ? ['/lafz/guide'] : []),
  ...(hasCorpus ? ['', '/logo', '/-/type'].map(below => `/18f/brand${below}`) : []),
]

for (const width of [360, 1024])
  test(`fonts, pictures and films that arrive late move nothing at ${width} pixels`, CHROMIUM, async () => {
    const { page } = await openPage({ viewport: { width, height: 800 } })
    await page.route('**/*', async route => {
      if (LATE.has(route.request().resourceType())) await wait(LATE_MS)
      await route.continue()
    })
    const shifts = await watchShifts(page)
    const visit = async (path: string) => {
      await page.goto(url + path, { waitUntil: 'load' })
      await page.evaluate('document.fonts.ready.then(() => new Promise(done => setTimeout(done, 300)))')
      await shifts.assertSmall(path, 0.01)
    }
    // A busy browser sometimes paints an incomplete page; a fault of a page moves it at each visit.
    for (const path of MOVABLE) await visit(path).catch(() => visit(path).catch(() => visit(path)))
  })

/** Examines pages with all rules in light colours, and with those about colours in dark ones. */
async function examine(paths: readonly string[]): Promise<void> {
  const { page } = await openPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  await addAxe(page)
  for (const path of paths) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(url + path)
    assert.deepEqual(await axeProblems(page), [], path)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await axeProblems(page, COLOR_RULES), [], path)
  }
}
