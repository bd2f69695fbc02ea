import assert from 'node:assert/strict'
import test from 'node:test'
import { readCssColor, readTokenColor } from '#formats/css/css-color.ts'
import { fc, forAll } from '../../support/random.ts'

test('a colour of any space within sRGB has its hex', () => {
  // The values of rebeccapurple come from CSS Color 4 and from browsers.
  for (const [space, components] of [
    ['srgb', [0.4, 0.2, 0.6]],
    ['srgb-linear', [0.1329, 0.0331, 0.3185]],
    ['hsl', [270, 50, 40]],
    ['hwb', [270, 20, 40]],
    ['lab', [32.39, 38.43, -47.69]],
    ['lch', [32.39, 61.25, 308.86]],
    ['oklab', [0.44027, 0.08818, -0.13386]],
    ['oklch', [0.44027, 0.1603, 303.373]],
    ['display-p3', [0.3745, 0.2098, 0.5791]],
    ['xyz-d65', [0.12413, 0.07492, 0.3093]],
    ['xyz-d50', [0.11627, 0.07262, 0.23256]],
  ] as const)
    assert.deepEqual(readTokenColor(space, components, 1), { hex: '#663399', alpha: 1, isMapped: false }, space)
})

test('components take precedence over a hex, which counts where sRGB cannot show them', () => {
  for (const [space, components, hex, shown, isMapped] of [
    ['srgb', [1, 0, 0], '#00ff00', '#ff0000', false],
    ['srgb', ['none', 0, 1], undefined, '#0000ff', false],
    ['hsl', ['none', 50, 40], undefined, '#993333', false],
    ['display-p3', [1, 0, 0], '#FE0000', '#fe0000', false],
    ['display-p3', [1, 0, 0], undefined, '#ff0b0c', true],
    ['display-p3', [1, 0, 0], '#f00', '#ff0b0c', true],
    ['okhsl', [20, 1, 1], '#ff0000', '#ff0000', false],
    ['srgb', [29, 112, 184], '#1d70b8', '#1d70b8', false],
  ] as const)
    assert.deepEqual(readTokenColor(space, components, 1, hex), { hex: shown, alpha: 1, isMapped }, `${space} ${hex}`)
})

test('a colour outside sRGB is clipped if nobody sees it, and else loses chroma', () => {
  for (const [css, hex] of [
    ['oklch(57.7% 0.245 27.325)', '#e7000b'],
    ['oklch(98% 0.016 73.684)', '#fff7ed'],
    ['oklch(70% 0.4 150)', '#00c248'],
    ['lab(none 0 0)', '#000000'],
    ['rgb(300 none 0)', '#ff0000'],
  ] as const)
    assert.equal(readCssColor(css)?.hex, hex, css)
})

test('every 8-bit colour round-trips through components with six digits', async () => {
  const channel = fc.integer({ min: 0, max: 255 })
  await forAll([fc.tuple(channel, channel, channel)], channels => {
    const hex = `#${channels.map(each => each.toString(16).padStart(2, '0')).join('')}`
    const components = channels.map(each => Number((each / 255).toFixed(6)))
    assert.equal(readTokenColor('srgb', components, 1)?.hex, hex)
  })
})

test('alpha is kept, and anything else is not a colour', () => {
  assert.deepEqual(readCssColor('#1d70b880'), { hex: '#1d70b8', alpha: 0.502, isMapped: false })
  assert.equal(readTokenColor('srgb', [0, 0, 0], 'none')?.alpha, 0)
  assert.equal(readTokenColor('srgb', [0, 0, 0], '50%')?.alpha, 1)
  for (const css of [
    'linear-gradient(red, blue)',
    '1d70',
    'var(--blue)',
    'translate(10px)',
    'color(constructor 1 0 0)',
    'color-mix(in valueof, red, blue)',
    `#${'0'.repeat(100_000)}`,
  ])
    assert.equal(readCssColor(css), undefined, css)
  for (const [space, components] of [
    ['cmyk', [0, 0, 0]],
    ['toString', [0, 0, 0]],
    ['constructor', [0, 0, 0]],
    ['srgb) (', [0, 0, 0]],
    ['srgb', [0, 0]],
    ['srgb', [0, 0, 0, 0]],
    ['srgb', [0, 0, Number.POSITIVE_INFINITY]],
    ['srgb', [0, 0, '1']],
    ['srgb', [29, 112, 184]],
  ] as const)
    assert.equal(readTokenColor(space, components, 1), undefined, `${space} ${components}`)
})
