import assert from 'node:assert/strict'
import test from 'node:test'
import { readCssColor, readTokenColor } from '#formats/css/css-color.ts'
import { golden } from '#test/support/golden.ts'
import { fc, forAll } from '../../support/random.ts'

type Written = { css: string } | { space: string; components: unknown[]; alpha?: unknown; hex?: string }

golden('formats/css/css-color', (color: Written) =>
  'css' in color
    ? (readCssColor(color.css) ?? 'none')
    : (readTokenColor(color.space, color.components, color.alpha ?? 1, color.hex) ?? 'none'),
)

test('every 8-bit colour round-trips through components with six digits', async () => {
  const channel = fc.integer({ min: 0, max: 255 })
  await forAll([fc.tuple(channel, channel, channel)], channels => {
    const hex = `#${channels.map(each => each.toString(16).padStart(2, '0')).join('')}`
    const components = channels.map(each => Number((each / 255).toFixed(6)))
    assert.equal(readTokenColor('srgb', components, 1)?.hex, hex)
  })
})
