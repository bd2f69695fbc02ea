import assert from 'node:assert/strict'
import test from 'node:test'
import { contrastOf } from '#brand/styles/contrast.ts'
import { coverPalette, darkPalette, groundPalette, isDark, lightPalette, type Palette } from '#site/theme/palette.ts'
import { fc, forAll } from '../../support/random.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
const theme = fc.record({ ground: hex, text: hex, accent: hex }, { requiredKeys: [] })

function assertLegible({ ground, surface, mark, text, quiet, link, accent, onAccent, border }: Palette): void {
  for (const behind of [ground, surface, mark])
    for (const letters of [text, quiet]) assert.ok(contrastOf(letters, behind).ratio >= 4.5, `${letters} on ${behind}`)
  assert.ok(contrastOf(link, ground).ratio >= 4.5, `${link} on ${ground}`)
  assert.ok(contrastOf(onAccent, accent).ratio >= 4.5, `${onAccent} on ${accent}`)
  assert.ok(contrastOf(border, ground).ratio >= 3, `${border} on ${ground}`)
}

test('for any theme, text, links and borders on light and dark pages reach AA', () =>
  forAll([theme], colors => {
    assertLegible(lightPalette(colors))
    assertLegible(darkPalette(colors))
  }))

test('dark pages have the colours that the brand has for them, if these are dark and legible', async () => {
  const light = { ground: '#faf7f2', text: '#14212b', accent: '#cc3a06' }
  const { ground, text, link, accent } = darkPalette(light, { ground: '#101820', text: '#e8e4dc', accent: '#ff9966' })
  assert.deepEqual([ground, text, link, accent], ['#101820', '#e8e4dc', '#ff9966', '#ff9966'])
  assert.equal(darkPalette(light, { ground: '#ffffff' }).ground, '#14212b')
  await forAll([theme, theme], (colors, own) => {
    const palette = darkPalette(colors, own)
    assertLegible(palette)
    assert.ok(isDark(palette.ground))
  })
})

test('text and links on any background colour reach AA', () =>
  forAll([hex, theme], (ground, colors) => assertLegible(groundPalette(ground, colors))))

test('legible theme colours are used unchanged', () =>
  forAll([hex, hex, hex], (ground, text, accent) => {
    const light = lightPalette({ ground, text, accent })
    assert.deepEqual([light.ground, light.accent], [ground, accent])
    if (contrastOf(text, ground).ratio >= 4.5) assert.equal(light.text, text)
    if (contrastOf(accent, ground).ratio >= 4.5) assert.equal(light.link, accent)
  }))

test('dark pages are dark for any light pages', () =>
  forAll([theme], colors => assert.ok(isDark(darkPalette(colors).ground))))

test('the ink is the background of dark pages, and the paper tints their text', () => {
  const { ground, text, link, accent } = darkPalette({ ground: '#faf7f2', text: '#14212b', accent: '#cc3a06' })
  assert.equal(ground, '#14212b')
  assert.equal(accent, '#cc3a06')
  assert.ok(contrastOf(text, ground).ratio > 12)
  assert.notEqual(link, accent)
})

test('links in a pale accent keep its hue and are darkened only as needed', () => {
  const { link, accent, onAccent } = lightPalette({ accent: '#ffd500' })
  assert.deepEqual([accent, onAccent], ['#ffd500', '#1a1d21'])
  const { ratio } = contrastOf(link, '#ffffff')
  assert.ok(ratio >= 4.5 && ratio < 4.7, `${link}: ${ratio}`)
})

test('letters of a cover are light if that is enough for large letters, and reach 3 on any colour', async () => {
  assert.equal(coverPalette('#e63329', { ground: '#faf7f2', text: '#14212b' }).text, '#faf7f2')
  assert.equal(coverPalette('#e63329', { ground: '#e0b0b0', text: '#14212b' }).text, '#14212b')
  assert.equal(coverPalette('#e63329', { ground: '#e0b0b0', text: '#14212b' }, 'light').text, '#ffffff')
  assert.equal(coverPalette('#ffd500', { ground: '#faf7f2', text: '#14212b' }).text, '#14212b')
  assert.equal(coverPalette('#e63329', { ground: '#faf7f2', text: '#14212b' }, 'dark').text, '#14212b')
  await forAll([hex, theme, fc.constantFrom('auto', 'light', 'dark')], (ground, colors, wanted) => {
    const { text, quiet, link } = coverPalette(ground, colors, wanted)
    for (const letters of [text, quiet, link])
      assert.ok(contrastOf(letters, ground).ratio >= 3, `${letters} on ${ground}`)
  })
})
