import assert from 'node:assert/strict'
import test from 'node:test'
import { Resvg } from '@resvg/resvg-wasm'
import { program } from '#formats/picture/decode.ts'
import { svgToPng } from '#formats/picture/svg-png.ts'
import { isDrawable } from '#site/thumbnails/drawable-svg.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const RECT = '<rect width="100" height="100"'
const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">${content}</svg>`
const filled = (fill: string) => svg(`${RECT} fill="${fill}"/>`)
const styled = (css: string) => svg(`<style>${css}</style>${RECT} id="a" class="x y" data-c="a"/>`)

const DRAWN: readonly string[] = [
  ...['#0b4f6c', '#0B4F6CFF', 'rgb(11,79,108)', 'rgb(11, 79, 108, 1)', 'rgba(11,79,108,1)'].map(filled),
  ...['#none', 'RED'].map(fill =>
    svg(`${RECT} fill="url(#none) red"/>${RECT} fill="#0b4f6c" aria-label="${fill} (x)"/>`),
  ),
  ...['.x', 'rect', '#a', '*', 'svg>rect', 'svg .x.y', 'i,rect', 'style+rect', '[data-c]', 'rect[data-c="a"]'].map(
    selector => styled(`${selector}{fill:#0b4f6c}`),
  ),
  styled('/* a */\n.x { fill : #0b4f6c ; font-family: "A (b)" }'),
  styled('<![CDATA[.x{fill:#0b4f6c}]]>'),
  styled('@charset "utf-8";@font-face{font-family:A;src:url(a.woff2)}.x{fill:#0b4f6c}'),
  svg(`<g style="color:#0b4f6c;-inkscape-stroke:none;vector-effect:none">${RECT} fill="currentColor"/></g>`),
  svg(`<linearGradient id="g"><stop stop-color="#0b4f6c"/></linearGradient>${RECT} style="fill:url(#g)"/>`),
  svg(
    `<switch><foreignObject requiredExtensions="urn:x" width="1" height="1"/><g>${RECT} fill="#0b4f6c"/></g></switch>`,
  ),
  svg(`<g transform="translate(0,0) scale(10)"><rect width="10" height="10" fill="#0b4f6c"/></g>`),
]
test('an SVG in the forms that the renderer knows is drawn in its colours', async () => {
  // Other tests in this process may have started the renderer.
  await svgToPng(filled('red'), 1, undefined, () => program('@resvg/resvg-wasm/index_bg.wasm'))
  for (const drawing of DRAWN) {
    assert.ok(isDrawable(drawing), drawing)
    const { pixels, width } = new Resvg(drawing).render()
    const seen = Buffer.from(pixels).toString('hex', 4 * 50 * (width + 1), 4 * 50 * (width + 1) + 4)
    assert.equal(seen, '0b4f6cff', drawing)
  }
})

const OTHERS: readonly string[] = [
  'var(--b, #0b4f6c)|oklch(40.3% .078 231)|lab(30% 0 0)|color(display-p3 0.13 0.3 0.41)|hwb(198 4% 58%)|light-dark(red,#fff)',
  'rgb(11 79 108)|rgb(11 79 108 / 100%)|hsl(198deg 81% 23%)|color-mix(in srgb, red, blue)|CanvasText|unset|rebeccapurple|inky',
]
  .flatMap(list => list.split('|').flatMap(color => [filled(color), styled(`.x{fill:${color}}`)]))
  .concat(
    [
      ':root{fill:red}|:is(.x,.y){fill:red}|rect:nth-child(2){fill:red}|.x:not(.z){fill:red}',
      'a~rect{fill:red}|rect[data-c^=a]{fill:red}|svg{.x{fill:red}}|@layer a{.x{fill:red}}',
      '@supports (color:red){.x{fill:red}}|@media (prefers-color-scheme:dark){.x{fill:red}}',
      '.x{fill:red!important}|.x{width:100px}|.x{transform:rotate(5deg)}|.x{clip-path:circle(9px)}',
      '.x{animation:a 1s}|.x{fill:red',
    ]
      .flatMap(list => list.split('|'))
      .map(styled),
    [
      '<style media="print">rect{fill:red}</style>',
      '<text>Acme</text>',
      '<s:text xmlns:s="http://www.w3.org/2000/svg">Acme</s:text>',
      `${RECT}><animate attributeName="x" values="0;1" dur="1s"/></rect>`,
      '<foreignObject width="9" height="9"/>',
      '<image width="9" height="9" href="mark.png"/>',
      '<image width="9" height="9" href="data:image/webp;base64,AA"/>',
      `${RECT} style="background:red"/>`,
      `${RECT} vector-effect="non-scaling-stroke"/>`,
      `${RECT} transform="translate(9px)"/>`,
      `${RECT} transform-origin="5 5"/>`,
      '<rect width="calc(1px + 2px)" height="9"/>',
    ].map(svg),
  )
test('an SVG in other forms, which the renderer would draw black or leave out, is not drawn', () => {
  assert.deepEqual(OTHERS.filter(isDrawable), [])
})

test('long hostile SVGs take no longer', { timeout: PATIENCE_MS }, () => {
  const parts = `<style>|<style |/*|@import |<foreignObject |<use | a="| b='| fill|@font-face{|a[`.split('|')
  for (const part of parts) {
    const long = part.repeat((2 << 20) / part.length)
    assert.equal(typeof isDrawable(`${long} requiredExtensions=""`), 'boolean')
    assert.equal(typeof isDrawable(`<svg><style>${long}</style></svg>`), 'boolean')
  }
})
