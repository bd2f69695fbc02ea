import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { parse } from 'yaml'
import { addAxe, axeProblems, CHROMIUM, openPage } from '../support/browser.ts'
import { runningService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const svg = (color: string, width = 500) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="200"><path fill="${color}" d="M0 0h999v200H0z"/></svg>`
const texts: Readonly<Record<'band' | 'body' | 'edges' | 'places' | 'sticky', string>> = parse(
  readFileSync(new URL('../fixtures/website/composition.yaml', import.meta.url), 'utf8'),
)
const bands = ['ink', 'red', 'grey', 'lime', 'white'].map(
  id => `<!-- ground: ${id} -->\n\n## On ${id}\n\n${texts.band}\n<!-- /ground -->`,
)
const folder = (lang: string, title: string, layout = 'docs') => ({
  'project.yaml': `visibility: public\nlang: ${lang}\ntheme: { accent: red, layout: ${layout} }\n`,
  'styles/colors.yaml':
    '[{ name: Ink, hex: "12202b" }, { name: Red, hex: "d8442a" }, { name: Grey, hex: "767676" }, { name: Lime, hex: "c7e03a" }, { name: White, hex: "fff" }]\n',
  'pages/index.md': `# ${title}\n\n${texts.body.replace('BANDS', bands.join('\n\n'))}`,
  'pages/edges.md': texts.edges,
  'pages/sticky.md': texts.sticky.replaceAll('LINES', 'A line of text.\n\n'.repeat(30)),
  'pages/wide.md': `---\nwide: true\n---\n\n${texts.edges}`,
  'pages/places.md': texts.places,
  'pages/brief.md': '# Brief\n\n## One\n\nA word.\n\n## Two\n\nAnother.\n\n## Three\n\n> We last.\n\n- Paper\n- Ink',
  'pages/parts.md': `# Parts\n\n## Rules\n\n${'- A word\n'.repeat(9)}- ${'A longer line. '.repeat(60)}\n\n### One\n\nA word.\n\n### Two\n\nAnother.`,
  'files/logo.svg': svg('red'),
  'pages/a.svg': svg('red'),
  'pages/b.svg': svg('blue'),
  'pages/s.svg': svg('green', 120),
})
const temporary = await temporaryStore()
for (const [id, lang, title, layout] of [
  ['ltr', 'en', 'Composed'],
  ['rtl', 'ar', 'دليل'],
  ['editorial', 'en', 'Editorial', 'editorial'],
] as const) {
  const files = Object.entries(folder(lang, title, layout)).map(([path, text]) => [`${id}/${path}`, text])
  await temporary.importing('acme', Object.fromEntries(files))
  await temporary.publish(`acme/${id}`)
}
const { url } = await runningService(temporary)

/** The left and right edge of an element; `Document` is the window without its scroll bar. */
async function edges(page: Page, selector: string): Promise<number[]> {
  return page.evaluate<number[]>(
    `(({ left, right }) => [left, right].map(Math.round))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
  )
}

test('full blocks and bands reach the edge of the window, wide ones the header', CHROMIUM, async () => {
  const { page } = await openPage()
  for (const [width, start] of [
    [360, 0],
    [768, 0],
    [1440, 346],
    [1920, 464],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}/acme/ltr`)
    for (const selector of ['.full img', '.band'])
      assert.deepEqual(await edges(page, selector), [start, width], `${selector} at ${width}`)
    const [textStart = 0] = await edges(page, '.prose > p')
    const [, header = 0] = await edges(page, '.theme')
    assert.deepEqual(await edges(page, '.wide img'), [textStart, header], `at ${width}`)
    assert.equal((await edges(page, '.band h2'))[0], textStart)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.equal(
      await page.evaluate("new Set([...document.querySelectorAll('.pictures > figure')].map(f => f.offsetTop)).size"),
      width === 360 ? 2 : 1,
    )
  }
  await page.goto(`${url}/acme/rtl`)
  const [left = 0, right = 0] = await edges(page, '.full img')
  assert.deepEqual([right - left, left === 0 || right === 1920], [1920 - 464, true])
})

test('text ends at the reading edge, and objects at the wide edge', CHROMIUM, async () => {
  const { page } = await openPage()
  const atEnd = (width: number) => (selector: string) =>
    page.evaluate<number[]>(
      `Array.from(document.querySelectorAll('.prose > :is(${selector})'), each => Math.round(each.getBoundingClientRect().right) - ${width})`,
    )
  for (const [width, path, wide] of [
    [1440, 'edges', 1106],
    [1440, 'wide', 1346],
    [1920, 'edges', 1468],
    [768, 'edges', 748],
    [360, 'wide', 340],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}/acme/ltr/${path}`)
    const [start = 0] = await edges(page, '.prose > p')
    const reading = Math.min(start + 688, wide)
    const text = await atEnd(reading)(
      'p, h2, ul:not([class]), .code, .cards:not(:has(> :nth-child(2))), .table:not(:has(img)), figure',
    )
    assert.deepEqual(text, Array(8).fill(0), `${path} at ${width}`)
    assert.deepEqual(await atEnd(wide)('.tiles, .cards:has(> :nth-child(2)), .table:has(img)'), [0, 0, 0])
    const [left = [], right = []] = [await edges(page, '.do figure'), await edges(page, '.dont figure')]
    assert.equal(right[1], wide)
    assert.equal((left[1] ?? 0) - (left[0] ?? 0), (right[1] ?? 0) - (right[0] ?? 0))
  }
})

test('in the editorial layout, text is beside its heading', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/acme/editorial/places`)
  const [start, textStart, textEnd, end] = [58, 507, 1158, 1382]
  for (const [selector, ...ends] of [
    ['.text > p', textStart, textEnd],
    ['.emblem', start, end],
    ['figure:has(.drawing):not(.emblem)', textStart, end],
    ['.pictures', textStart, end],
    ['.statement', textStart, end],
    ['.table:not(:has(.judged))', textStart, end],
    ['.table:has(.judged)', start, end],
    ['.cards', start, end],
  ] as const)
    assert.deepEqual(await edges(page, `.passage > ${selector}`), ends, selector)
  assert.deepEqual(await edges(page, '.passage > .emblem:has([alt="A small one"])'), [start, end])
  await page.goto(`${url}/acme/editorial/brief`)
  assert.deepEqual(await edges(page, '.row'), [start, end])
  assert.equal((await edges(page, '.row > :last-child'))[1], end)
  assert.deepEqual(await edges(page, '.passage .short'), [textStart, end])
  await page.goto(`${url}/acme/editorial/parts`)
  assert.deepEqual(await edges(page, '.parts > :first-child'), [textStart, 925])
  assert.deepEqual(await edges(page, '.parts > :last-child'), [965, end])
  assert.deepEqual(await edges(page, '.text > ul'), [textStart, end])
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing wrong on bands in ${colorScheme} colours`, CHROMIUM, async () => {
    const { page } = await openPage({ colorScheme, viewport: { width: 1280, height: 900 } })
    await addAxe(page)
    await page.goto(`${url}/acme/ltr`)
    assert.deepEqual(await axeProblems(page), [])
  })

test('the slider of a comparison works by keyboard, and without script both show', CHROMIUM, async () => {
  const { page, complaints } = await openPage({ viewport: { width: 1000, height: 800 } })
  const clip = "getComputedStyle(document.querySelector('.compare figure + figure')).clipPath"
  await page.goto(`${url}/acme/ltr`)
  assert.equal(await page.evaluate(clip), 'inset(0px 0px 0px 50%)')
  await page.getByRole('slider').focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.evaluate(clip), 'inset(0px 0px 0px 51%)')
  await page.goto(`${url}/acme/rtl`)
  await page.getByRole('slider').focus()
  await page.keyboard.press('Home')
  assert.equal(await page.evaluate(clip), 'inset(0px 0% 0px 0px)')
  await page.keyboard.press('ArrowLeft')
  assert.equal(await page.evaluate(clip), 'inset(0px 1% 0px 0px)')
  const sideBySide = async () => {
    const [old = [], current = []] = [await edges(page, 'img[alt=Old]'), await edges(page, 'img[alt=New]')]
    return (old[1] ?? 0) < (current[0] ?? 0)
  }
  await page.goto(`${url}/acme/ltr`)
  assert.equal(await sideBySide(), false)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await sideBySide(), true)
  assert.equal(await page.getByRole('slider').count(), 0)
  assert.deepEqual(complaints, [])
})

test('a heading stays beside text alone, below the header, and crosses nothing', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 700 } })
  await page.goto(`${url}/acme/editorial/sticky`)
  const seen: { name: string; tops: number[]; crossed: string[] }[] = await page.evaluate(SCROLLED)
  assert.deepEqual(
    seen.map(({ name, tops, crossed }) => [name, tops.filter(top => top === 96).length > 5, crossed]),
    [
      ['Text alone#', true, []],
      ['Text and a drawing#', false, []],
      ['Text again#', true, []],
    ],
  )
})

/** In the browser: for each heading its distances from the top of the window while the page is scrolled, and what it crossed. */
const SCROLLED = `(() => {
  const headings = Array.from(document.querySelectorAll('main h2'), h2 => ({ h2, tops: [], crossed: [] }))
  const others = [...document.querySelectorAll('main :is(h2, p, img), body > header')]
  for (let y = 0; y < document.documentElement.scrollHeight; y += 100) {
    scrollTo({ top: y, behavior: 'instant' })
    for (const { h2, tops, crossed } of headings) {
      const a = h2.getBoundingClientRect()
      tops.push(Math.round(a.top))
      for (const other of others) {
        const b = other.getBoundingClientRect()
        const crosses = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
        if (crosses && other !== h2 && a.top > 0 && other.tagName !== 'HEADER') crossed.push(other.textContent || other.alt)
      }
    }
  }
  return headings.map(({ h2, ...rest }) => ({ name: h2.textContent, ...rest }))
})()`

test('letters have no space between them from right to left, whatever a style says', CHROMIUM, async () => {
  const { page } = await openPage()
  const spacing = async (guide: string) => {
    await page.goto(`${url}/acme/${guide}`)
    return page.evaluate(`(() => {
      document.styleSheets[0].insertRule('.prose :is(h2, p) { letter-spacing: 0.1em }')
      return ['h2', '.prose p'].map(each => parseFloat(getComputedStyle(document.querySelector(each)).letterSpacing) > 0)
    })()`)
  }
  assert.deepEqual(
    [await spacing('ltr'), await spacing('rtl')],
    [
      [true, true],
      [false, false],
    ],
  )
})
