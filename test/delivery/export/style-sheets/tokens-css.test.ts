import assert from 'node:assert/strict'
import test from 'node:test'
import { transform } from 'lightningcss'
import { compileString } from 'sass'
import { PRINT_KEYS } from '#brand/color.ts'
import { CHROMIUM, openPage } from '../../../support/browser.ts'
import { exported, onlyText } from '../../../support/exported.ts'
import { fc, scale } from '../../../support/random.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand, hostileBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()

const BRAND = {
  'styles/colors.yaml': '- { name: Ink, hex: "#0B0C0C" }\n- { id: 红-rot, name: Red, hex: "#f00" }\n',
  'styles/types.yaml': `- name: Heading 1
  family: Acme "Sans"
  fallback: [Arial, sans-serif]
  size: 64
  weight: SemiBold
  style: italic
  leading: 1.1
  tracking: -0.02
  casing: uppercase
  spacing: 0.5
  responsive: true
  features: { tnum: 1, liga: 0 }
  axes: { WONK: 1, SOFT: 100 }
- { name: Small, size: 13, casing: small-caps }
- { name: Empty }
`,
}

test('a browser shows the value for the scheme of the reader, or of the nearest data-theme', CHROMIUM, async () => {
  const css = onlyText(
    await exported(temporary, 'css', {
      'styles/colors.yaml': '- { name: Ink, hex: "#14212b", dark: 8ab8ee }\n- { name: Red, hex: "#f00" }\n',
    }),
  )
  assert.ok(css.indexOf('--color-ink: #14212b;') < css.indexOf('@supports'))
  const themes = ['', ' data-theme="light"', ' data-theme="dark"']
  const html = `<!doctype html><style>${css}</style>${themes.map(theme => `<p${theme} style="color: var(--color-ink); background: var(--color-red)">A</p>`).join('')}`
  const [ink, pale] = ['rgb(20, 33, 43)', 'rgb(138, 184, 238)']
  for (const [colorScheme, own] of [
    ['light', ink],
    ['dark', pale],
  ] as const) {
    const { page } = await openPage({ colorScheme })
    await page.setContent(html)
    const computed = (name: string) =>
      page.evaluate(`[...document.querySelectorAll('p')].map(each => getComputedStyle(each)['${name}'])`)
    assert.deepEqual(await computed('color'), [own, ink, pale])
    assert.deepEqual(await computed('backgroundColor'), Array(3).fill('rgb(255, 0, 0)'))
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
    assert.deepEqual(await computed('color'), [pale, ink, pale])
  }
})

test('a browser shows text in the authored type style', CHROMIUM, async () => {
  const css = onlyText(await exported(temporary, 'css', BRAND))
  const { page } = await openPage({ viewport: { width: 1300, height: 800 } })
  const html = `<!doctype html><style>${css}</style><p class="type-heading-1" style="color: var(--color-红-rot)">A</p>`
  await page.setContent(html)
  const properties = `
    fontFamily fontStyle fontWeight fontSize lineHeight letterSpacing textTransform fontFeatureSettings
    marginBlockEnd color
  `
    .trim()
    .split(/\s+/)
  const computed = (): Promise<string[]> =>
    page.evaluate(`${JSON.stringify(properties)}.map(name => getComputedStyle(document.querySelector('p'))[name])`)
  assert.deepEqual(await computed(), [
    '"Acme \\"Sans\\"", Arial, sans-serif',
    'italic',
    '600',
    '64px',
    '70.4px',
    '-1.28px',
    'uppercase',
    '"liga" 0, "tnum"',
    '32px',
    'rgb(255, 0, 0)',
  ])
  await page.setViewportSize({ width: 360, height: 800 })
  assert.equal((await computed())[3], '37px')
})

test('tokens.css contains the name of each style as CSS.escape writes it', CHROMIUM, async () => {
  const brands = fc.sample(hostileBrand(), { numRuns: scale(40) })
  const ids = [...new Set(brands.flatMap(brand => idsOf(brand)))].map(id => `type-${id}`)
  const { page } = await openPage()
  assert.deepEqual(await page.evaluate(`${JSON.stringify(ids)}.map(id => CSS.escape(id))`), ids)
})

test('for any brand, tokens.css has exactly the names of its colours and type styles', async () => {
  await forAnyBrand(25, async brand => {
    const css = onlyText(await exported(temporary, 'css', brand))
    assert.doesNotMatch(css, /<\//)
    compileString(css, { syntax: 'css' })
    const { colors, types } = JSON.parse(onlyText(await exported(temporary, 'json', brand)))
    const names = namesIn(css)
    const isColor = (name: string) => name.startsWith('--color-')
    const isPrint = (name: string) => PRINT_KEYS.some(key => name.startsWith(`--${key}-`))
    assert.deepEqual(
      names.filter(isPrint),
      colors.flatMap((color: { id: string }) =>
        PRINT_KEYS.flatMap(field => (field in color ? `--${field}-${color.id}` : [])),
      ),
    )
    const expected = colors.map(({ id }: { id: string }) => `--color-${id}`)
    assert.deepEqual(names.filter(isColor), expected)
    const rest = names.filter(name => !isColor(name) && !isPrint(name))
    const kept = rest.filter(name => name.startsWith('.'))
    const wanted = types.map(({ id }: { id: string }) => `.type-${id}`)
    assert.deepEqual(kept, wanted)
    assert.equal(new Set(names).size, names.length)
    const values = types.map(valuesOf).reduce((sum: number, count: number) => sum + count, 0)
    assert.equal(rest.filter(name => name.startsWith('--type-')).length, values)
  })
})

/** The number of values that CSS can express. */
function valuesOf({
  family,
  fallback,
  style,
  weight,
  size,
  leading,
  tracking,
  casing,
  spacing,
  features,
  axes = {},
}: Style): number {
  const lists = [features, axes].filter(list => Object.keys(list).length > 0).length
  const said = [family ?? fallback, style, weight, size, leading, tracking, spacing]
  const known = said.filter(value => value !== undefined).length
  return known + (casing === 'none' ? 0 : 1) + lists
}

type Style = Readonly<Record<'family' | 'fallback' | 'style' | 'weight' | 'size' | 'leading' | 'tracking', unknown>> &
  Readonly<{ casing: string; spacing: unknown; features: object; axes?: object }>

/** The custom properties and classes of a sheet, read with a strict parser. */
function namesIn(css: string): string[] {
  const names: string[] = []
  transform({
    filename: 'tokens.css',
    code: Buffer.from(css),
    errorRecovery: false,
    visitor: {
      Declaration: {
        custom(property) {
          if (property.name.startsWith('--')) names.push(`${property.name}`)
        },
      },
      Selector(selector) {
        for (const part of selector) if (part.type === 'class') names.push(`.${part.name}`)
      },
    },
  })
  return names
}

function idsOf(brand: Record<string, string | Uint8Array>): string[] {
  const lists = ['styles/colors.yaml', 'styles/types.yaml'].map(path => JSON.parse(`${brand[path]}`))
  return lists.flat().map(({ id }: { id: string }) => id)
}
