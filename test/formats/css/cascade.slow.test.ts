import assert from 'node:assert/strict'
import test from 'node:test'
import { type CssSheet, contextOf, declarationsOf, winnersOf } from '#formats/css/cascade.ts'
import { TIER } from '#formats/css/root-selector.ts'
import { CHROMIUM, openPage } from '#test/support/browser.ts'
import { fc, SEED, scale } from '#test/support/random.ts'

const NAMES = ['--a', '--b', '--c']
const WRAPS = `:root|html|*|html:root|:root:not(.dark)|:where(html)|:is(:root, #x)|:root, .dark|.dark|body|.card :root
  @layer a|@layer b|@layer a.c|@layer|@media (min-width: 600px)|@media (max-width: 37.5em)|@media print, (width > 800px)
  @media not all and (400px < width <= 1280px)|@media (prefers-color-scheme: dark)|@media screen and (orientation: landscape)
  @supports (color: oklch(0 0 0)) and (not (display: grid))|@supports selector(:is(a)) or (a: b)|@media not print`.split(
  /[|\n]\s*/,
)
const KEYWORDS = ['revert-layer', 'initial', 'var(--c)']
const SELECTORS = WRAPS.filter(wrap => !wrap.startsWith('@'))
const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts)
const lines = (texts: fc.Arbitrary<string>, maxLength: number, minLength = 1) =>
  fc.array(texts, { minLength, maxLength }).map(all => all.join('\n'))
const value = fc.integer({ min: 0, max: 29 }).map(number => KEYWORDS[number] ?? `#${number}0`.padEnd(4, '7'))
const declaration = fc
  .tuple(oneOf(...NAMES), value, oneOf('', '', '', ' !important'))
  .map(([name, text, mark]) => `${name}: ${text}${mark};`)
const rule = fc
  .tuple(lines(oneOf(...WRAPS), 3, 0), oneOf(...SELECTORS), lines(declaration, 3))
  .map(([wraps, selector, text]) => [...wraps.split('\n').filter(Boolean), selector].reduceRight(inside, text))
const inside = (inner: string, wrap: string) => `${wrap} { ${inner} }`
const rules = lines(fc.oneof({ weight: 6, arbitrary: rule }, oneOf('@layer b, a;', '@layer c;')), 8)
const imported = fc
  .tuple(rules, oneOf('', ' layer(a)', ' layer', ' print', ' layer(b) supports(display: grid) screen'))
  .map(([text, conditions]) => `@import url("data:text/css,${encodeURIComponent(text)}")${conditions};`)
const sheets = fc.tuple(lines(imported, 2, 0), rules).map(([imports, text]) => imports + text)

test('a custom property of the root has the value that Chromium computes, in 200 random sheets', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1280, height: 720 } })
  for (const sheet of fc.sample(sheets, { seed: SEED, numRuns: scale(200) })) {
    await page.addStyleTag({ content: sheet })
    const propertyValue = 'name => getComputedStyle(document.documentElement).getPropertyValue(name)'
    const computed = await page.evaluate(`${JSON.stringify(NAMES)}.map(${propertyValue})`)
    await page.evaluate("document.querySelector('style').remove()")
    assert.deepEqual(rootValues(sheet), computed, sheet)
  }
})

function rootValues(text: string): string[] {
  const open = (address: string): CssSheet => ({
    text: decodeURIComponent(address.replace(/^data:text\/css,/, '')),
    syntax: 'css',
    open,
  })
  const all = declarationsOf([{ text, syntax: 'css', open }], { wants: name => NAMES.includes(name) })
  const winners = [...new Set(winnersOf(all).values())]
    .flatMap(each => each ?? [])
    .filter(({ block, strength }) => contextOf(block) === '' && strength.tier === TIER.root)
  const values = new Map(winners.map(({ name, value }) => [name, value]))
  const rootValue = (name: string): string =>
    values.get(name)?.replace('var(--c)', name === '--c' ? '' : rootValue('--c')) ?? ''
  return NAMES.map(rootValue)
}
