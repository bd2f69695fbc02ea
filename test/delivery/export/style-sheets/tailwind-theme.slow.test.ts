import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { compile, __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss'
import { themeNames } from '#brand/styles/tailwind-names.ts'
import { familyList, fluidSize, typeValuesInCss } from '#delivery/export/style-sheets/css-text.ts'
import { compareStrings } from '#platform/base/text.ts'
import { CHROMIUM, openPage } from '../../../support/browser.ts'
import { exported, type MadeExport, onlyText } from '../../../support/exported.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()
const OWN = await readFile(new URL(import.meta.resolve('tailwindcss/theme.css')), 'utf8')

const COLOR_UTILITIES = {
  bg: 'background-color',
  text: 'color',
  border: 'border-color',
  fill: 'fill',
  stroke: 'stroke',
  accent: 'accent-color',
  caret: 'caret-color',
  decoration: 'text-decoration-color',
  outline: 'outline-color',
}

/** Every id that Tailwind uses after one of these prefixes, and likely ones. */
async function doubtfulIds(): Promise<string[]> {
  const classes = (await loadDesignSystem(OWN)).getClassList().map(([name]) => name)
  const roots = [
    ...Object.keys(COLOR_UTILITIES),
    'font',
    'ring',
    'from',
    'via',
    'to',
    'shadow',
    'divide',
    'text-shadow',
  ]
  const suffixes = classes.flatMap(name => {
    const root = roots.find(root => name.startsWith(`${root}-`))
    return root === undefined ? [] : [name.slice(root.length + 1)]
  })
  const firsts = new Set(suffixes.map(suffix => suffix.split('-')[0] ?? ''))
  const all = [...suffixes, ...[...firsts].flatMap(first => [first, `${first}-ink`, `${first}-2`])]
  return [...new Set(all.filter(id => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id)))]
}

test('for every id that Tailwind uses, the utilities of a colour or type style with that id set nothing else', async () => {
  const ids = await doubtfulIds()
  assert.ok(ids.length > 500, `${ids.length} ids`)
  const asYaml = (value: (id: string) => object) => JSON.stringify(ids.map(value))
  const ofColors = await exported(temporary, 'tailwind', {
    'styles/colors.yaml': asYaml(id => ({ id, name: id, hex: '#123456' })),
  })
  const build = await builder(ofColors)
  const { colors } = themeNames(ofColors.colors, [])
  const utilities = Object.entries(COLOR_UTILITIES).flatMap(([utility, property]) =>
    Array.from(colors.values())
      // A number is a thickness in this utility.
      .filter(name => utility !== 'decoration' || !/^\d+$/.test(name))
      .map(name => [`${utility}-${name}`, { [property]: '#123456' }] as const),
  )
  const seen = sortDeclarations(build(...utilities.map(([name]) => name)))
  assert.deepEqual(seen, sortDeclarations(Object.fromEntries(utilities)))
  const ofTypes = await exported(temporary, 'tailwind', {
    'styles/types.yaml': asYaml(id => ({ id, name: id, size: 17, casing: 'uppercase', family: id })),
  })
  const buildType = await builder(ofTypes)
  const { types, families } = themeNames([], ofTypes.types)
  const typed = [
    ...Array.from(types, ([id, name]) => [
      `text-${name}`,
      { 'font-size': '17px', 'font-family': familyList([id]), 'text-transform': 'uppercase' },
    ]),
    ...Array.from(families, ([family, name]) => [`font-${name}`, { 'font-family': familyList([family]) }]),
  ]
  const found = sortDeclarations(buildType(...typed.map(([name]) => `${name}`)))
  assert.deepEqual(found, sortDeclarations(Object.fromEntries(typed)))
})

function sortDeclarations(declarations: Readonly<Record<string, object>>): object[] {
  return Object.entries(declarations)
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([name, values]) => ({ name, ...values }))
}

for (const prefix of [undefined, 'tw'])
  test(`theme.css with ${prefix ?? 'no prefix'} has values for both schemes, as browsers show`, CHROMIUM, async () => {
    const brand = {
      'styles/colors.yaml': '- { name: Ink, hex: "#14212b", dark: 8ab8ee }\n- { name: Red, hex: "#f00" }\n',
    }
    const made = await exported(temporary, 'tailwind', brand, prefix === undefined ? {} : { prefix })
    const [start, name] =
      prefix === undefined ? ['@import "tailwindcss";', 'bg-ink'] : ['@import "tailwindcss" prefix(tw);', 'tw:bg-ink']
    const loadStylesheet = async (id: string, base: string) => ({
      path: id,
      base,
      content: await readFile(new URL(import.meta.resolve('tailwindcss/index.css')), 'utf8'),
    })
    const { build } = await compile(`${start}\n${onlyText(made)}`, { loadStylesheet })
    const css = build([name])
    for (const [colorScheme, color] of [
      ['light', 'rgb(20, 33, 43)'],
      ['dark', 'rgb(138, 184, 238)'],
    ] as const) {
      const { page } = await openPage({ colorScheme })
      await page.setContent(`<!doctype html><style>${css}</style><p class="${name}">A</p>`)
      assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('p')).backgroundColor`), color)
    }
  })

test('Tailwind sets every value of every style, with any names', async () => {
  await forAnyBrand(6, async brand => {
    const made = await exported(temporary, 'tailwind', brand)
    const build = await builder(made)
    const names = themeNames(made.colors, made.types)
    const seen = new Set([...names.colors.values(), ...names.types.values()]).size
    assert.equal(seen, made.colors.length + made.types.length)
    build(
      ...[...names.colors.values()].map(name => `bg-${name}`),
      ...[...names.types.values()].map(name => `text-${name}`),
    )
    for (const { id, hex } of made.colors)
      assert.deepEqual(Object.values(build(`bg-${names.colors.get(id)}`)), [{ 'background-color': hex }])
    for (const style of made.types) {
      const wanted = typeValuesInCss(style).map(({ property, value }) => [
        property,
        property === 'font-size' && style.size !== undefined && style.responsive ? fluidSize(style.size) : value,
      ])
      const [found = {}] = Object.values(build(`text-${names.types.get(style.id)}`))
      const plain = Object.entries(found).map(([key, value]) => [
        key,
        value.replace(/^var\(--tw-[a-z-]+, (.*)\)$/, '$1'),
      ])
      assert.deepEqual(Object.fromEntries(plain), Object.fromEntries(wanted))
    }
  })
})

type Declarations = Record<string, Record<string, string>>

/**
 * Builds utilities with a theme next to Tailwind's own. Returns the declarations of each class, with the values of the
 * theme.
 */
async function builder(made: MadeExport): Promise<(...classes: string[]) => Declarations> {
  const { build } = await compile(`${OWN}\n${onlyText(made)}\n@tailwind utilities;`)
  return (...classes) => {
    const css = build(classes)
    const variables = new Map(Array.from(css.matchAll(/^ {2}(--[^:]+): (.*);$/gm), ([, name, value]) => [name, value]))
    const wanted = new Set(classes)
    const found: Declarations = {}
    for (const [, escaped = '', body = ''] of css.matchAll(/^\.(.+) \{\n((?: {2}[^\n]*\n)*)\}$/gm)) {
      const name = unescapeName(escaped)
      if (!wanted.has(name)) continue
      const declared = Array.from(body.matchAll(/^ {2}([a-z][a-z-]*): ([^\n]*);$/gm), ([, key = '', value = '']) => [
        key,
        value.replace(/var\((--[^,()]+)\)/g, (whole, name) => variables.get(name) ?? whole),
      ])
      found[name] = { ...found[name], ...Object.fromEntries(declared) }
    }
    return found
  }
}

function unescapeName(name: string): string {
  return name.replace(
    /\\(?:([0-9a-f]{1,6}) |(.))/g,
    (_, hex, sign) => sign ?? String.fromCodePoint(Number.parseInt(hex, 16)),
  )
}
