import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { cssComment, cssString, fluidSize } from '#delivery/export/style-sheets/css-text.ts'
import { readCssString } from '../../../site/library/type/css-reader.ts'
import { CSS_PIECES, codePoint, fc, forAll } from '../../../support/random.ts'

test('a CSS parser reads any escaped string as that one string', async () => {
  const hostile = fc.constantFrom(...CSS_PIECES)
  const text = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(hostile).map(parts => parts.join('')),
  )
  await forAll([text], text => {
    assert.deepEqual(readCssString(`${cssString(text)}rest`), [text.replaceAll('\0', '\ufffd'), 'rest'])
    assert.doesNotMatch(cssString(text), /<|#\{/)
  })
})

const [id] = ['heading'].filter(isStyleId)
assert.ok(id)

test('a fluid size is the given size on wide screens, and at least that of running text on narrow ones', () =>
  forAll([fc.integer({ min: 1, max: 4000 })], size => {
    const [, least, rest, slope, most] =
      /^clamp\((\d+)px, ([-\d.]+)px \+ ([\d.]+)vw, (\d+)px\)$/.exec(fluidSize(size)) ?? []
    if (least === undefined) return assert.ok(size <= 17 && fluidSize(size) === `${size}px`)
    const at = (screen: number) => Number(rest) + (Number(slope) * screen) / 100
    assert.equal(Number(most), size)
    assert.ok(Number(least) >= 16 && Math.abs(at(360) - Number(least)) < 0.1 && Math.abs(at(1200) - size) < 0.1)
  }))

test('no line can end a CSS comment or the HTML element that contains it', async () => {
  const hostile = fc.constantFrom(...CSS_PIECES)
  const line = fc.array(hostile).map(parts => parts.join(''))
  await forAll([fc.array(line)], lines => {
    const comment = cssComment(lines)
    assert.equal(comment.indexOf('*/'), comment.length - 3)
    assert.doesNotMatch(comment, /<[/!]|#\{/)
    assert.equal(comment.split('\n').length, lines.length + 3)
    assert.doesNotMatch(comment, /[\u202a-\u202e\u2066-\u2069]/)
  })
})
