import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import encodePng, { init } from '@jsquash/png/encode.js'
import { servedBrand } from '../../support/service.ts'

await init(readFileSync(new URL(import.meta.resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))))

/** A PNG of 40 × 20 px with a bar in one colour, on nothing or on another colour. */
async function png(bar: readonly number[], ground: readonly number[] = [0, 0, 0, 0]): Promise<Uint8Array> {
  const data = new Uint8ClampedArray(
    Array.from({ length: 800 }, (_, at) => (at > 200 && at < 600 ? bar : ground)).flat(),
  )
  return new Uint8Array(await encodePng({ data, width: 40, height: 20, colorSpace: 'srgb' }))
}
const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60">${content}</svg>`
const bar = (fill: string) => `<path d="M10 20h180v20H10z" fill="${fill}"/>`
const WHITE = [255, 255, 255, 255]
const NAVY = [20, 33, 61, 255]

const LIGHT: Record<string, string | Uint8Array> = {
  'white.png': await png(WHITE),
  'grey.png': await png([230, 230, 230, 255]),
  'fill.svg': svg(bar('#fff')),
  'class.svg': svg(`<style>.a{fill:#f4f4f4}</style><g class="a"><path d="M10 20h180v20H10z"/></g>`),
  'text.svg': svg('<style>text{fill:white}</style><text x="9" y="40" font-size="30">Acme</text>'),
  'duo.svg': svg(
    `<path d="M5 5h30v50H5z" fill="#e4572e"/>${[50, 60, 70, 80, 90].map(x => `<path d="M${x} 9h4v40h-4z" fill="#fff"/>`).join('')}`,
  ),
  'duo-reversed.svg': svg(`<path d="M5 5h90v50H5z" fill="#e4572e"/><path d="M110 9h60v9h-60z" fill="#fff"/>`),
  'mark_WHT.gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'oklch.svg': svg(bar('oklch(1 0 0)')),
  'spaces.svg': svg(bar('rgb(250 250 250)')),
  'alice.svg': svg(bar('AliceBlue')),
  'layer.svg': svg(
    '<style>@layer a{:root{--a:#fff}g{path{fill:var(--a)!important}}}</style><g><path d="M10 20h180v20H10z"/></g>',
  ),
  'var-neg.svg': svg('<style>svg{--a:white}path{fill:var(--a)}</style><path d="M10 20h180v20H10z"/>'),
}
const OTHERS: Record<string, string | Uint8Array> = {
  'dark.png': await png(NAVY),
  'opaque.png': await png(WHITE, NAVY),
  'white-paper.png': await png(NAVY),
  'logo-light.svg': svg(bar('#14213d')),
  'white-names.svg': svg(bar('#14213d')),
  'badge.svg': svg('<circle cx="30" cy="30" r="29" fill="#14213d"/><path fill="#fff" d="M15 20h30v20H15z"/>'),
  'paper.svg': svg(`<path d="M0 0h200v60H0z" fill="#fff"/>${bar('#14213d')}`),
  'half-covered.svg': svg(`<path d="M.5.5h199v59H.5z" fill="#f3f2f1"/>${bar('#14213d')}`),
  'frames.svg': svg(
    `${[5, 15, 25].map(y => `<path d="M9 ${y}h182v6H9z" fill="#fff"/>`).join('')}<path d="M9 40h182v6H9z" fill="#14213d"/>`,
  ),
  'scheme.svg': svg(
    '<style>path{fill:#14213d}@media (prefers-color-scheme:dark){path{fill:#fff}}</style><path d="M10 20h180v20H10z"/>',
  ),
  'see-through.svg': svg(`${bar('#14213d')}<path d="M9 9h182v9H9zM9 44h182v9H9z" fill="rgb(255 255 255 / 0)"/>`),
  'reverse-engineering.gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'logo-rev2.gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}

const inFolder = (project: string, files: object) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${project}/files/${name}`, bytes]))
const pictures = { ...LIGHT, ...OTHERS, 'own.svg': svg(bar('#fff')) }
const page = `# Logo\n\n${Object.keys(pictures)
  .map(name => `![${name}](../files/${name})\n\n`)
  .join('')}
| Do | Small |\n|---|---|\n| ![cell](../files/fill.svg) | a ![inline](../files/fill.svg) |\n`
const { ask } = await servedBrand({
  'open/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
  'open/files/files.yaml': 'own.svg: { ground: ink }\n',
  'open/pages/logo.md': page,
  ...inFolder('open', pictures),
  'dark/project.yaml': 'visibility: public\ntheme: { ground: night, text: paper }\n',
  'dark/styles/colors.yaml': '- { name: Night, hex: "#0b1016" }\n- { name: Paper, hex: "#ffffff" }\n',
  'dark/pages/logo.md': '# Logo\n\n![navy](../files/navy.svg)\n\n![red](../files/red.svg)\n',
  ...inFolder('dark', { 'navy.svg': svg(bar('#14213d')), 'red.svg': svg(bar('#e4572e')) }),
})

/** The class of the ground of each picture on a page, on its frame or itself. */
async function grounds(path: string): Promise<Record<string, string>> {
  const { text } = await ask(path)
  const found = text.matchAll(
    /<a class="picture(?: enlarge)? ?(?:ground-(\w+))?[^>]*><img[^>]* alt="([^"]*)"|<img[^>]* alt="([^"]*)"[^>]*>/g,
  )
  return Object.fromEntries(
    Array.from(found, ([tag, ground, framed, alone = framed ?? '']) => [
      alone,
      ground ?? / class="ground-(\w+)/.exec(tag)?.[1] ?? '',
    ]),
  )
}

const EXPECTED: Record<string, string> = {
  ...Object.fromEntries(Object.keys(LIGHT).map(name => [name, 'Dark'])),
  ...Object.fromEntries(Object.keys(OTHERS).map(name => [name, ''])),
  'own.svg': 'ink',
  cell: 'Dark',
  inline: 'Dark',
}
const shown = (found: Record<string, string>) => Object.keys(EXPECTED).map(name => [name, found[name]])

test('light transparent artwork has a dark plate on a page and in a cell, and other pictures have none', async () => {
  assert.deepEqual(shown(await grounds('/acme/open/logo')), Object.entries(EXPECTED))
})

test('the cards and pages of files show light artwork on a dark plate, too', async () => {
  const { text } = await ask('/acme/open/-/files')
  const tiles = Array.from(
    text.matchAll(/<span class="tile ground-Dark[^"]*"><img src="[^"]+\/([^"/]+)"/g),
    ([, name]) => name,
  )
  assert.deepEqual(tiles.toSorted(), Object.keys(LIGHT).toSorted())
  const line = (await ask('/acme/open/-/file/white.png')).text
  assert.match(line, /class="stage-plate hero [^>]*><svg[^>]*><rect[^>]* class="black-lines"/)
  assert.match((await ask('/acme/open/-/file/dark.png')).text, /class="stage-plate hero [^>]*><img/)
})

test('dark artwork has a light plate in a guide with a dark ground', async () => {
  assert.deepEqual(await grounds('/acme/dark/logo'), { navy: 'Light', red: '' })
})
