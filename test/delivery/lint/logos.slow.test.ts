import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { measureSilhouette } from '#brand/pictures/silhouette.ts'
import { type Logo, logoProblems } from '#delivery/lint/logos.ts'
import type { Placement } from '#delivery/lint/use.ts'
import { drawSvg } from '#formats/picture/decode.ts'

const ACME = join(import.meta.dirname, '../../../examples/acme/guidelines')
const LOGO = readFileSync(join(ACME, 'files/logo/acme-logo.svg'), 'utf8')
const inside = LOGO.slice(LOGO.indexOf('</title>') + 8, LOGO.indexOf('</svg>'))
const drawing = (content: string, box = '0 0 214 50') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${content}</svg>`
const placed = (transform: string, content = inside) =>
  drawing(`<g transform="${transform}">${content}</g>`, '0 0 300 300')
const recolored = (blade: string, letters: string) => LOGO.replace('#14212b', letters).replace('#cc3a06', blade)

const logos: Logo[] = []
for (const path of globSync('files/logo/*.svg', { cwd: ACME })) {
  const ink = await measureSilhouette(readFileSync(join(ACME, path)))
  assert.ok(ink !== 'none')
  logos.push({ path, address: path, ink, minWidth: path.includes('mark') ? 16 : 72 })
}

async function seen(picture: string | Uint8Array, placement?: Placement): Promise<string[]> {
  const ink = await measureSilhouette(Buffer.from(picture))
  if (ink === 'none') return []
  return logoProblems(ink, logos, placement).map(({ rule, found, logo }) => `${rule} ${found} ${logo.path}`)
}

const TWO = 'files/logo/acme-logo.svg'

for (const [name, picture, expected] of [
  ['the logo', LOGO, []],
  ['all of it in the colour of the version for one ink', recolored('#14212b', '#14212b'), []],
  ['a version on another ground', drawing(`<path fill="#2c5a4a" d="M0 0h214v50H0z"/>${inside}`), []],
  ['one turned by 90°', placed('translate(120 250) rotate(-90)'), []],
  ['one turned by 180°', placed('translate(250 200) rotate(180)'), []],
  ['one turned by 10°', placed('translate(40 140) rotate(-10)'), []],
  ['a part of it', drawing('<path d="M178 0h36v8h-21v11.5h17v8h-17V40h21v8h-36z"/>'), []],
  ['one with another part', drawing(`${inside}<path d="M0 60h200v20H0z"/>`, '0 0 214 90'), []],
  ['one in other colours', recolored('#2c5a4a', '#1f5e94'), ['logo-recolored #1f5e94 files/logo/acme-logo-ink.svg']],
  ['one in greys', recolored('#808080', '#404040'), ['logo-recolored #404040 files/logo/acme-logo.svg']],
  ['one in black', recolored('#000', '#000'), ['logo-recolored #000000 files/logo/acme-logo-ink.svg']],
  [
    'one with the colours changed over',
    recolored('#14212b', '#cc3a06'),
    ['logo-recolored #cc3a06 files/logo/acme-logo-ink.svg'],
  ],
  [
    'one with another blade only',
    recolored('#2c5a4a', '#14212b'),
    [`logo-recolored #2c5a4a files/logo/acme-logo-ink.svg`],
  ],
  [
    'one that is 3 % too wide',
    drawing(`<g transform="scale(1.03 1)">${inside}</g>`, '0 0 221 50'),
    [`logo-stretched 3 % too wide ${TWO}`],
  ],
  [
    'one that is 3 % too high',
    drawing(`<g transform="scale(1 1.03)">${inside}</g>`, '0 0 214 52'),
    [`logo-stretched 3 % too high ${TWO}`],
  ],
  ['one that is 1 % too wide', drawing(`<g transform="scale(1.01 1)">${inside}</g>`, '0 0 217 50'), []],
  [
    'one that is half as wide again',
    placed('translate(0 100) scale(1.35 .9)'),
    [`logo-stretched 50 % too wide ${TWO}`],
  ],
] as const)
  test(`${name} is ${expected.length === 0 ? 'right, or not known' : 'wrong'}`, async () => {
    assert.deepEqual(await seen(picture), expected)
  })

test('PNGs have the findings of their SVG from 200 px on', async () => {
  for (const [size, ground] of [[200], [200, '#ffffff'], [640, '#000000'], [1200, '#faf7f2']] as const) {
    assert.deepEqual(await seen(await drawSvg(LOGO, size, ground)), [])
    const [found, ...others] = await seen(await drawSvg(recolored('#2c5a4a', '#1f5e94'), size, ground))
    assert.deepEqual(others, [])
    assert.match(found ?? '', /^logo-recolored #1f5e94 /)
  }
})

test('the drawings of misuse that change colours or proportions are found', async () => {
  const cwd = join(ACME, 'pages/logo/misuse')
  const found = []
  for (const path of globSync('*.svg', { cwd }).sort())
    for (const each of await seen(readFileSync(join(cwd, path)))) found.push(`${path}: ${each}`)
  assert.deepEqual(found, [
    'recoloured.svg: logo-recolored #1f5e94 files/logo/acme-logo-ink.svg',
    `stretched.svg: logo-stretched 73 % too wide ${TWO}`,
  ])
})

test('other drawings and photographs of the guide are not logos', async () => {
  const pictures = globSync(
    '{files/{icons,pictures,film},pages/{drawings,icons,layout,cartons,in-use}}/*.{svg,webp,jpg}',
    { cwd: ACME },
  )
  assert.ok(pictures.length > 15)
  for (const path of pictures) assert.deepEqual(await seen(readFileSync(join(ACME, path))), [], path)
})

for (const [name, placement, expected, picture = LOGO] of [
  ['as wide as it may be', { width: 72, fits: false }, []],
  ['below its smallest width', { width: 60, fits: false }, [`logo-small 60 px ${TWO}`]],
  ['with a height only', { height: 10, fits: false }, [`logo-small 43 px ${TWO}`]],
  ['in a box that an SVG fits', { width: 200, height: 200, fits: false }, []],
  ['in a box in which it fits small', { width: 200, height: 10, fits: false }, [`logo-small 43 px ${TWO}`]],
  ['in a canvas with much space', { width: 80, fits: false }, [`logo-small 57 px ${TWO}`], placed('translate(43 100)')],
] as const)
  test(`a logo that is placed ${name} ${expected.length === 0 ? 'is right' : 'is too small'}`, async () => {
    assert.deepEqual(await seen(picture, placement), expected)
  })

test('a PNG is stretched by a width and a height with other proportions, unless it fits in them or only whole pixels differ', async () => {
  const png = await drawSvg(LOGO, 428)
  assert.deepEqual(await seen(png, { width: 214, height: 50, fits: false }), [])
  assert.deepEqual(await seen(png, { width: 100, height: 24, fits: false }), [])
  assert.deepEqual(await seen(png, { width: 200, height: 100, fits: true }), [])
  const [found] = await seen(png, { width: 200, height: 100, fits: false })
  assert.equal(found, `logo-stretched 114 % too high ${TWO}`)
})
