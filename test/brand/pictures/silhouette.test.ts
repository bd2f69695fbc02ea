import assert from 'node:assert/strict'
import test from 'node:test'
import { measureSilhouette, type Silhouette } from '#brand/pictures/silhouette.ts'
import { drawSvg } from '#formats/picture/decode.ts'

const BARS = '<path d="M0 0h8v40H0zM16 0h8v40h-8zM30 16h50v8H30z"/>'
const svg = (content: string, box = '0 0 80 40') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${content}</svg>`

async function measured(text: string): Promise<Silhouette> {
  const silhouette = await measureSilhouette(Buffer.from(text))
  assert.ok(silhouette !== 'none')
  return silhouette
}

/** The largest difference of the shares of ink in a cell, from 0 to 255. */
function difference(one: Silhouette, other: Silhouette): number {
  const inks = (cells: Uint8Array) => cells.filter((_, at) => at % 4 === 3)
  const others = inks(other.cells)
  return Math.max(...inks(one.cells).map((ink, at) => Math.abs(ink - (others[at] ?? 0))))
}

test('place, size, colour and ground change no ink', async () => {
  const plain = await measured(svg(BARS))
  assert.equal(plain.cells.length, 4 * 48 ** 2)
  for (const other of [
    svg(`<g fill="#cc3a06">${BARS}</g>`),
    svg(`<g transform="translate(30 40) scale(1.5)">${BARS}</g>`, '0 0 200 200'),
    svg(`<rect width="80" height="40"/><g fill="#fff">${BARS}</g>`),
    svg(
      `<rect x="-20" y="-20" width="120" height="80" rx="12" fill="#14212b"/><g fill="#fff">${BARS}</g>`,
      '-30 -30 140 100',
    ),
  ]) {
    const seen = await measured(other)
    assert.ok(Math.abs(seen.ratio / plain.ratio - 1) < 0.01, other)
    assert.ok(difference(seen, plain) < 100, other)
  }
})

test('a stretched drawing has the same ink and another ratio', async () => {
  const [plain, wide] = [
    await measured(svg(BARS)),
    await measured(svg(`<g transform="scale(1.1 1)">${BARS}</g>`, '0 0 88 40')),
  ]
  assert.ok(difference(plain, wide) < 60)
  assert.ok(Math.abs(wide.ratio / plain.ratio - 1.1) < 0.005)
})

test('a PNG has the ink of its SVG, and fewer pixels allow a larger error', async () => {
  const [plain, errors]: [Silhouette, number[]] = [await measured(svg(BARS)), []]
  for (const size of [60, 240]) {
    const png = await measureSilhouette(await drawSvg(svg(BARS), size, '#ffffff'))
    assert.ok(png !== 'none')
    assert.ok(Math.abs(png.ratio / plain.ratio - 1) < 0.02)
    errors.push(png.rounding)
  }
  assert.ok((errors[0] ?? 0) > 3 * (errors[1] ?? 1))
  assert.equal(plain.rounding, 0)
})

test('an SVG with the colour of its page has no own colours, and one may give up its proportions', async () => {
  const pick = ({ isColored, keepsAspect }: Silhouette) => ({ isColored, keepsAspect })
  assert.deepEqual(pick(await measured(svg(BARS))), { isColored: true, keepsAspect: true })
  assert.deepEqual(pick(await measured(svg(`<g fill="currentColor">${BARS}</g>`))), {
    isColored: false,
    keepsAspect: true,
  })
  const elastic = svg(BARS).replace('<svg', '<svg preserveAspectRatio="none"')
  assert.deepEqual(pick(await measured(elastic)), { isColored: true, keepsAspect: false })
})

for (const [name, content] of [
  ['a disc', '<circle cx="40" cy="20" r="15"/>'],
  ['a triangle', '<path d="M0 40L20 0l20 40z"/>'],
  ['a plain ground', '<path d="M0 0h80v40H0z"/>'],
  ['nothing', ''],
] as const)
  test(`${name} is too plain to be known`, async () => {
    assert.equal(await measureSilhouette(Buffer.from(svg(content))), 'none')
  })

test('other formats, damaged pictures and more than 24 megapixels are not decoded', async () => {
  const png = Buffer.from(await drawSvg(svg(BARS), 60))
  const huge = Buffer.from(png)
  huge.writeUInt32BE(100_000, 16)
  for (const bytes of [Buffer.from('<svg'), Buffer.from('plain'), png.subarray(0, 60), huge, Buffer.from('BM')])
    await assert.rejects(measureSilhouette(bytes))
})
