import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { fontFaces } from '#delivery/export/fonts/font-faces.ts'
import { familyList } from '#delivery/export/style-sheets/css-text.ts'
import { sheetRules } from '#site/library/type/type-sheet.ts'
import { CSS_PIECES, codePoint, fc, forAll } from '#test/support/random.ts'
import { readCssString } from './css-reader.ts'

const [id] = ['body'].filter(isStyleId)
assert.ok(id)
const BODY: TypeStyle = { id, name: 'Body', size: 16, casing: 'none', responsive: false, features: {} }

async function sheet(family: string, subFamily: string, features: Record<string, number>): Promise<string> {
  const hash = hashOf(new Uint8Array())
  const metadata = { family, subFamily, weight: 600, style: 'italic' } as const
  const faces = fontFaces([{ path: 'a.woff2', size: 1, contentType: 'font/woff2', hash, metadata }])
  const ofStyles = { rules: [], families: () => familyList([`Guide: ${family}`, 'sans-serif']) }
  return sheetRules([{ ...BODY, family, features }], faces, ofStyles, () => '/w/p/-/files/k/a.woff2').join('')
}

test('a style sheet has a face and a class for each font, and a class for each type style', async () => {
  assert.equal(
    await sheet('Acme Sans', 'SemiBold', { tnum: 1 }),
    `@font-face{font-family:"Guide 1: Acme Sans SemiBold";font-weight:600;font-style:italic;font-display:block;src:url("/w/p/-/files/k/a.woff2") format("woff2")}
.face-1{font-family:"Guide 1: Acme Sans SemiBold", system-ui, sans-serif;font-variation-settings: normal}
.type-body{font-family: "Guide: Acme Sans", sans-serif;font-style: normal;font-weight: 400;font-size: 16px;font-feature-settings: "tnum" 1;font-variation-settings: normal;font-synthesis: small-caps}
`,
  )
})

test('a style larger than a screen is reduced so that its letters are visible', async () => {
  const rules = sheetRules([{ ...BODY, size: 4000 }], [], { rules: [], families: () => undefined }, () => '')
  assert.match(
    rules.join(''),
    /font-size: 4000px;font-variation-settings: normal;font-size: min\(4000px, 60vw, max\(1.0625rem, \d+cqi\)\);/,
  )
})

test('no font name or feature changes a style sheet outside its strings', async () => {
  const part = fc.constantFrom(...CSS_PIECES)
  const hostile = fc.array(fc.oneof(part, fc.string({ unit: codePoint }))).map(parts => parts.join(''))
  const tag = fc.stringMatching(/^[ -~]{4}$/)
  await forAll([hostile, hostile, tag], async (family, subFamily, tag) => {
    const [outside, strings] = splitStrings(await sheet(family, subFamily, { [tag]: 1 }))
    assert.deepEqual(outside, PLAIN)
    assert.equal(strings[0], `Guide 1: ${family} ${subFamily}`.replaceAll('\0', '\ufffd'))
    assert.equal(strings.at(-1), tag)
  })
})

const [PLAIN] = splitStrings(await sheet('Acme Sans', 'SemiBold', { tnum: 1 }))

/** The parts of a style sheet outside and inside its strings. */
function splitStrings(css: string): [outside: string, strings: string[]] {
  const start = css.indexOf('"')
  if (start === -1) return [css, []]
  const [value, rest] = readCssString(css.slice(start))
  const [outside, strings] = splitStrings(rest)
  return [`${css.slice(0, start)}""${outside}`, [value, ...strings]]
}
