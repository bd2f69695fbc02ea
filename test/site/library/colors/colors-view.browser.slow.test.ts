import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '#test/support/browser.ts'
import { runningService } from '#test/support/service.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4)
const many = Array.from({ length: 500 }, (_, at) => `- name: Blue ${at}\n  rgb: ${at % 256}, 0, 255\n`)
const UNEVEN = Array.from({ length: 7 }, (_, at) => {
  const more = at === 5 ? `  use: ${'For signs and stickers. '.repeat(9)}\n` : ''
  return `- name: Colour ${at}\n  hex: "#14212${at}"\n${more}`
}).join('')
const { url } = await runningService(
  await publishedBrand({
    'few/styles/colors.yaml': `- name: Ink\n  hex: "#14212b"\n  pms: "'5395' \\"C\\" <b>"\n- name: White\n  hex: "#fff"\n  cmyk: [0, 0, 0, 0]\n- name: ${LONG}\n  id: red\n  hex: "#cc3a06"\n  pms: ${LONG}\n`,
    'table/styles/colors.yaml': many.slice(0, 24).join(''),
    'uneven/styles/colors.yaml': UNEVEN,
    'many/styles/colors.yaml': `- name: ${LONG}\n  hex: "#fff"\n${many.join('')}`,
  }),
)
const COLORS_PAGE = `${url}/acme/few/-/colors`

test('a click on a value or its button, or a key, copies it and announces that', CHROMIUM, async () => {
  const { page, complaints } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(COLORS_PAGE)
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  const status = page.locator('[aria-live=polite]')
  await page.getByRole('radio', { name: 'RGB' }).check()
  await page.getByRole('button', { name: 'Copy 20,33,43' }).click()
  await status.filter({ hasText: 'Copied' }).waitFor()
  assert.equal(await copied(), '20,33,43')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await until(async () => (await copied()) !== '20,33,43')
  assert.equal(await copied(), `'5395' "C" <b>`)
  await page.locator('dd', { hasText: '#14212b' }).click({ position: { x: 4, y: 10 } })
  await until(async () => (await copied()) === '#14212b')
  assert.deepEqual(complaints, [])
})

test('the tiles of a row are equal, and their names have one size', CHROMIUM, async () => {
  for (const { width, tiles } of await tilesAtWidths('uneven')) {
    const [first] = tiles
    assert.ok(first && tiles.every(({ area }) => area <= first.area * 1.001), `${width} ${JSON.stringify(tiles)}`)
    for (const row of Map.groupBy(tiles, ({ top }) => top).values())
      assert.equal(new Set(row.map(({ size }) => size)).size, 1)
  }
})

test('a click on a tile copies its colour in the chosen format, at first hex', CHROMIUM, async () => {
  const { page } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(COLORS_PAGE)
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  const tile = page.locator('#color-ink')
  await tile.click({ position: { x: 8, y: 120 } })
  await until(async () => (await copied()) === '#14212b')
  await page.getByRole('radio', { name: 'RGB' }).check()
  await tile.click({ position: { x: 8, y: 120 } })
  await until(async () => (await copied()) === '20,33,43')
  await page.getByRole('radio', { name: 'HEX' }).check()
  await tile.getByRole('link').click()
  assert.equal(await copied(), '20,33,43')
})

test('the table of contrasts scrolls only sideways', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1024, height: 500 } })
  await page.goto(`${url}/acme/table/-/colors`)
  const sizes = await page.evaluate<number[]>(`(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.querySelector('.matrix')
    return [scrollHeight - clientHeight, Number(scrollWidth > clientWidth)]
  })()`)
  assert.deepEqual(sizes, [0, 1])
})

test('one switch chooses the format in which all tiles copy their colours', CHROMIUM, async () => {
  const { page } = await openPage()
  await page.goto(COLORS_PAGE)
  const offered = async (format: string) => {
    await page.getByRole('radio', { name: format }).check()
    const buttons = await page.locator('.tiles li:is(:nth-child(1), :nth-child(2))').getByRole('button').all()
    return Promise.all(buttons.map(button => button.getAttribute('aria-label')))
  }
  const ink = `Copy '5395' "C" <b>`
  assert.deepEqual(await offered('HEX'), ['Copy #14212b', ink, 'Copy #ffffff'])
  assert.deepEqual(await offered('RGB'), ['Copy 20,33,43', ink, 'Copy 255,255,255'])
  assert.deepEqual(await offered('CMYK'), [ink, 'Copy 0,0,0,0'])
  assert.deepEqual(await offered('OKLCH'), ['Copy oklch(24.07% 0.0264 242.26)', ink, 'Copy oklch(100% 0 0)'])
})

test('a choice of two colours paints the sample and judges the pair at once', CHROMIUM, async () => {
  const { page, complaints, requests } = await openPage()
  await page.goto(COLORS_PAGE)
  const state = () =>
    page.evaluate<string[]>(`(() => {
      const { color, backgroundColor } = getComputedStyle(document.querySelector('.pair-sample'))
      return [color, backgroundColor, ...Array.from(document.querySelectorAll('.verdicts b'), each => each.textContent)]
    })()`)
  const loaded = requests.length
  await page.locator('select[name=text]').selectOption('White')
  await page.locator('select[name=ground]').selectOption({ value: 'red' })
  assert.deepEqual(await state(), ['rgb(255, 255, 255)', 'rgb(204, 58, 6)', '5.02', 'AA', 'AAA', 'AA'])
  assert.equal(requests.length, loaded)
  const own = await openPage({ javaScriptEnabled: false })
  await own.page.goto(COLORS_PAGE)
  assert.equal(await own.page.locator('.pair-sample').isVisible(), false)
  await own.page.locator('select[name=text]').selectOption('White')
  await own.page.locator('select[name=ground]').selectOption({ value: 'red' })
  await own.page.getByRole('button', { name: 'Show' }).click()
  assert.ok(own.page.url().endsWith('/-/contrast?text=white&ground=red'))
  await page.goto(own.page.url())
  assert.deepEqual(await state(), ['rgb(255, 255, 255)', 'rgb(204, 58, 6)', '5.02', 'AA', 'AAA', 'AA'])
  assert.deepEqual([...complaints, ...own.complaints], [])
})

test('a value is also copied without clipboard access', CHROMIUM, async () => {
  const { page } = await openPage({ permissions: ['clipboard-read'] })
  await page.goto(COLORS_PAGE)
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
  await page.getByRole('button', { name: 'Copy #14212b' }).click()
  await page.locator('[aria-live=polite]').filter({ hasText: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), '#14212b')
  assert.equal(await page.evaluate('String(getSelection())'), '#14212b')
})

test('without scripts, values have the same positions and no copy buttons', CHROMIUM, async () => {
  const positions = async (javaScriptEnabled: boolean) => {
    const { page } = await openPage({ javaScriptEnabled, viewport: { width: 800, height: 800 } })
    await page.goto(COLORS_PAGE)
    assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), javaScriptEnabled ? 5 : 0)
    return Promise.all((await page.locator('dd').all()).map(value => value.boundingBox()))
  }
  assert.deepEqual(await positions(false), await positions(true))
})

test('a page of colours never scrolls sideways and causes no errors', CHROMIUM, async () => {
  const { page, complaints, requests } = await openPage({ viewport: { width: 360, height: 800 } })
  for (const path of ['few/-/colors', 'many/-/colors', 'many/-/contrast/blue-1']) {
    await page.goto(`${url}/acme/${path}`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
  }
  assert.deepEqual(complaints, [])
  const unexpected = requests.filter(address => !address.startsWith(`${url}/`))
  assert.deepEqual(unexpected, [])
})

test('the anchor of one of many colours scrolls to it', CHROMIUM, async () => {
  const { page } = await openPage()
  await page.goto(`${url}/acme/many/-/colors#color-blue-400`)
  const place = page.locator('#color-blue-400')
  await until(async () => {
    const { y = -1 } = (await place.boundingBox()) ?? {}
    return y >= 0 && y < 300
  })
})

type Tile = { area: number; top: number; size: string }

/** The tiles of a project's colours on small and large screens. */
async function tilesAtWidths(project: string): Promise<{ width: number; tiles: Tile[] }[]> {
  const measured = []
  for (const width of [360, 768, 1024, 1440]) {
    const { page } = await openPage({ viewport: { width, height: 800 } })
    await page.goto(`${url}/acme/${project}/-/colors`)
    const tiles = await page.evaluate<Tile[]>(`
    Array.from(document.querySelectorAll('.tiles > li'), tile => {
      const { width, height, top } = tile.getBoundingClientRect()
      return { area: width * height, top, size: getComputedStyle(tile.querySelector('.tile-name')).fontSize }
    })`)
    measured.push({ width, tiles })
  }
  return measured
}
