import assert from 'node:assert/strict'
import test from 'node:test'
import { hexOfComponents, hexOfCss } from '#conversion/tokens/design-tokens.ts'
import { fc } from '../../support/random.ts'

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
    assert.deepEqual(hexOfComponents(space, components, 1, undefined), { ok: true, value: '#663399' }, space)
})

test('a written hex takes precedence over components, and a colour outside sRGB needs one', () => {
  assert.deepEqual(hexOfComponents('display-p3', [1, 0, 0], 1, '#ff0000'), { ok: true, value: '#ff0000' })
  assert.deepEqual(hexOfComponents('display-p3', [1, 0, 0], 1, undefined), {
    ok: false,
    problem: 'is color(display-p3 1 0 0), which sRGB cannot show; give it a "hex"; left out',
  })
})

test('every 8-bit colour round-trips through components with six digits', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), channels => {
      const hex = `#${channels.map(each => each.toString(16).padStart(2, '0')).join('')}`
      const components = channels.map(each => Number((each / 255).toFixed(6)))
      assert.deepEqual(hexOfComponents('srgb', components, 1, undefined), { ok: true, value: hex })
    }),
  )
})

test('a transparent or invalid colour is rejected', () => {
  for (const [css, why] of [
    ['#1d70b880', /^is "#1d70b880" with alpha 0\.502, which is not opaque/],
    ['transparent', /not opaque/],
    ['rgb(0 0 0 / 50%)', /not opaque/],
    ['linear-gradient(red, blue)', /^is "linear-gradient\(red, blue\)", which is not a colour/],
    ['1d70', /not a colour/],
    ['var(--blue)', /not a colour/],
    [`#${'0'.repeat(100_000)}`, /not a colour/],
  ] as const) {
    const hex = hexOfCss(css)
    assert.ok(!hex.ok, css)
    assert.match(hex.problem, why)
  }
  for (const css of ['#1D70B8', ' #1d70b8ff ', 'rgb(29, 112, 184)', 'rgb(29 112 184 / 1)'])
    assert.deepEqual(hexOfCss(css), { ok: true, value: '#1d70b8' })
  for (const [space, components, alpha] of [
    ['cmyk', [0, 0, 0], 1],
    ['toString', [0, 0, 0], 1],
    ['srgb', [0, 0], 1],
    ['srgb', [0, 0, 0, 0], 1],
    ['srgb', [0, 0, Number.POSITIVE_INFINITY], 1],
    ['srgb', [0, 0, 1.5], 1],
    ['srgb', [0, 0, 0], 0.5],
  ] as const)
    assert.ok(!hexOfComponents(space, components, alpha, undefined).ok, space)
})
