import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { CHROMIUM, openPage } from '#test/support/browser.ts'
import { runningService } from '#test/support/service.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'

const FONTS = 'examples/acme/guidelines/files/fonts'
const HOSTILE = `"}</style><script>alert(1)</script>body{display:none}\\\\`
const brand = {
  'type/project.yaml': 'visibility: public\ntheme: none\n',
  'type/styles/types.yaml': `- name: Label
  family: IBM Plex Sans
  size: 20
  leading: 1.5
  tracking: 0.1
  casing: uppercase
  features: { zero: 1 }
- name: Hostile
  family: '${HOSTILE}'
  size: 31
- name: Huge
  size: 4000
  tracking: -10
  features: { '"};a': 1 }
`,
  'type/files/regular.woff2': readFileSync(`${FONTS}/IBMPlexSans-Regular-Latin1.woff2`),
  'type/files/semibold.woff2': readFileSync(`${FONTS}/IBMPlexSans-SemiBold-Latin1.woff2`),
  'type/files/italic.woff2': readFileSync(`${FONTS}/IBMPlexSans-Italic-Latin1.woff2`),
  'type/files/files.yaml': `italic.woff2: { family: '${HOSTILE}' }\n`,
  'variable/files/fraunces.woff2': readFileSync(
    'node_modules/@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2',
  ),
}
const { url } = await runningService(await publishedBrand(brand))
const TYPE = `${url}/acme/type/-/type`
const VARIABLE = `${url}/acme/variable/-/type`

for (const javaScriptEnabled of [true, false])
  test(`text in a type style has the authored values, with scripts: ${javaScriptEnabled}`, CHROMIUM, async () => {
    const { page, complaints } = await openPage({ javaScriptEnabled, viewport: { width: 360, height: 800 } })
    await page.goto(TYPE)
    const styled = (name: string): Promise<string[]> =>
      page.evaluate(`(() => {
        const style = getComputedStyle(document.querySelector('${name}'))
        return ${JSON.stringify(PROPERTIES)}.map(name => style.getPropertyValue(name))
      })()`)
    assert.deepEqual(await styled('.type-label'), [
      '"Guide: IBM Plex Sans", "Fallback: IBM Plex Sans", "Fallback: IBM Plex Sans, 2", "Fallback: IBM Plex Sans, 3", system-ui, sans-serif',
      '20px',
      '30px',
      '2px',
      'uppercase',
      '"zero"',
    ])
    assert.deepEqual((await styled('.type-hostile'))[1], '31px')
    assert.deepEqual((await styled('.type-huge'))[1], '216px')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    await page.evaluate('document.fonts.ready')
    // Fallback fonts are local, and a machine may not have them. Those of the frame are for the home page.
    const own = '[...document.fonts].filter(({ family }) => !/Fallback: |Frame: |Guide 2/.test(family))'
    assert.deepEqual(await page.evaluate(`${own}.map(font => font.status)`), Array(3).fill('loaded'))
    assert.deepEqual(complaints, [])
  })

const PROPERTIES = [
  'font-family',
  'font-size',
  'line-height',
  'letter-spacing',
  'text-transform',
  'font-feature-settings',
]

test('the name of a family is as wide as the page, and a glyph opens without a script', CHROMIUM, async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  await page.goto(VARIABLE)
  const widths: number[] = await page.evaluate(`document.fonts.ready.then(() => {
    const [name, range] = [document.querySelector('.names a'), document.createRange()]
    range.selectNodeContents(name)
    return [range, name].map(each => each.getBoundingClientRect().width)
  })`)
  const [text = 0, box = 0] = widths
  assert.ok(box - text >= 0 && box - text < box / 100, `${text} of ${box}`)
  const glyph = page.locator('.glyphs li').filter({ hasText: /^gU\+0067 LATIN SMALL LETTER G/ })
  await glyph.locator('summary').click()
  await glyph.getByText('LATIN SMALL LETTER G').waitFor()
  const size = "getComputedStyle(document.querySelector('.glyphs [open] summary')).fontSize"
  assert.equal(await page.evaluate(size), '128px')
})

test('the CSS of a type style is copied with the real name of its family', CHROMIUM, async () => {
  const { page } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(TYPE)
  await page.getByLabel('CSS: Label').click()
  await page.getByRole('button', { name: 'Copy the CSS of Label' }).press('Enter')
  await page.locator('[aria-live=polite]').filter({ hasText: 'Copied' }).waitFor()
  assert.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    'font-family: "IBM Plex Sans";\nfont-size: 20px;\nline-height: 1.5;\nletter-spacing: 0.1em;\ntext-transform: uppercase;\nfont-feature-settings: "zero" 1;',
  )
})

test('the line of a specimen is editable, and sliders set its size, weight and axes', CHROMIUM, async () => {
  const { page, complaints } = await openPage()
  await page.goto(VARIABLE)
  const line = page.getByRole('textbox')
  await line.fill('Made to be sharpened')
  assert.equal(await line.textContent(), 'Made to be sharpened')
  for (const [name, value] of [
    ['Size', '90'],
    ['Weight', '820'],
    ['Softness', '60'],
  ] as const)
    await page.getByRole('slider', { name, exact: true }).fill(value)
  const styled = `(({ fontSize, fontWeight, fontVariationSettings }) => [fontSize, fontWeight, fontVariationSettings])(
    getComputedStyle(document.querySelector('.try [role=textbox]')))`
  assert.deepEqual(await page.evaluate(styled), ['90px', '820', '"SOFT" 60'])
  const shown = (await page.locator('.rail .quiet').allTextContents()).join(' ')
  assert.equal(shown, '90 1.2 48 820 60 1')
  assert.deepEqual(complaints, [])
})
