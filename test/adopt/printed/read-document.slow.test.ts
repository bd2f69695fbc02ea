import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { Report } from '#adopt/report/report.ts'
import { housestyle } from '#test/program/cli/housestyle.ts'
import { CHROMIUM, openPage } from '#test/support/browser.ts'
import { pdfFile, pdfStream } from '#test/support/pdf-file.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const STYLE = `@page { size: 200mm 140mm; margin: 0 }
body { font: 10pt/1.4 "Liberation Serif"; margin: 0 }
section { break-after: page; height: 139mm; position: relative; overflow: hidden }
h1 { font: bold 28pt "Liberation Sans"; position: absolute; top: 12mm; left: 15mm; margin: 0 }
h2 { font: bold 14pt "Liberation Sans"; margin: 0 0 2mm }
header { position: absolute; top: 4mm; left: 15mm; font-size: 7pt }
footer { position: absolute; bottom: 4mm; right: 15mm; font-size: 7pt }
.left, .right { position: absolute; top: 34mm; width: 75mm }
.left { left: 15mm } .right { left: 110mm }
.swatch { position: absolute; top: 60mm; width: 40mm }
.swatch i { display: block; width: 40mm; height: 20mm; margin-bottom: 3mm; print-color-adjust: exact }
p { margin: 0 0 3mm; hyphens: manual } ul { margin: 0 }
svg { display: block; margin-bottom: 2mm } table { border-collapse: collapse } td, th { border: 1pt solid; padding: 1mm }`

const LOGO = `<svg width="120" height="60" viewBox="0 0 120 60"><path d="M0 60 30 0 60 60z" fill="#cc3304"/><path d="M60 60 90 0 120 60z" fill="#14212b"/></svg>`

/** Prints pages with a running head and numbers. */
function printed(name: string, ...pages: readonly string[]): Promise<string> {
  return printedWith({}, name, ...pages)
}

async function printedWith(
  options: { outline?: boolean; tagged?: boolean },
  name: string,
  ...pages: readonly string[]
): Promise<string> {
  const { page } = await openPage()
  const sections = pages.map(
    (content, at) => `<section><header>Northwind guidelines</header>${content}<footer>${at + 1}</footer></section>`,
  )
  await page.setContent(`<html lang="en"><style>${STYLE}</style><body>${sections.join('')}`)
  const folder = await temporaryFolder()
  writeFileSync(join(folder, name), await page.pdf({ preferCSSPageSize: true, printBackground: true, ...options }))
  return folder
}

async function adopted(cwd: string, ...args: string[]): Promise<Report> {
  const { status, stdout, stderr } = await housestyle(['init', 'brand', ...args, '--json'], { cwd })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

/** The pages of documents that became pages of the guide. */
function pagesIn({ placed }: Report): string[] {
  return placed.map(({ from }) => from).filter(from => from.includes('#page='))
}

function pagesOf(cwd: string): Record<string, string> {
  const folder = join(cwd, 'brand/guidelines/pages')
  return Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}

test('a photograph that is stored as a JPEG arrives with the same bytes', async () => {
  const { page } = await openPage()
  await page.setContent('<canvas width="300" height="200"></canvas>')
  const address = await page.evaluate<string>(
    `(() => { const { canvas } = Object.assign(document.querySelector('canvas').getContext('2d'), { fillStyle: '#cc3304' })
      canvas.getContext('2d').fillRect(40, 40, 100, 80); return canvas.toDataURL('image/jpeg') })()`,
  )
  const cwd = await printed(
    'photos.pdf',
    `<h1>Photographs</h1><div class="left"><p>Calm.</p><img src="${address}"></div>`,
  )
  await adopted(cwd, '--from', 'photos.pdf')
  const files = join(cwd, 'brand/guidelines/files')
  const [picture = ''] = readdirSync(files).filter(name => name.endsWith('.jpg'))
  assert.deepEqual(readFileSync(join(files, picture)), Buffer.from(address.split(',')[1] ?? '', 'base64'))
})

const PAGES = [
  '<h1>Northwind</h1>',
  `<h1>Our logo</h1><div class="left"><p>The logo is our name, and its sign is a mountain that stands apart from its neigh-<br>bours.</p>
<ul><li>Keep it upright.</li><li>Give it space.</li></ul></div><div class="right">${LOGO}<p>The sign on white</p><h2>Minimum size</h2><p>It is never smaller than 20 mm.</p>
<table><tr><th>Print<th>Screen<tr><td>20 mm<td>60 px</table></div>`,
  `<h1>Colours</h1>
<div class="swatch" style="left: 15mm"><i style="background: #cc3304"></i>Vermilion<br>PANTONE 1665 C<br>C0 M85 Y100 K10<br>RGB 204 51 4<br>#CC3304</div>
<div class="swatch" style="left: 75mm"><i style="background: #14212b"></i>Ink<br>CMYK 90/70/50/60<br>RAL 5004</div>`,
  '<h1>Voice</h1><div class="left"><p>We say what we do.</p></div>',
  '<div class="left"><p>We never shout.</p></div>',
]

test('a PDF becomes a guide: pages of chapters, with lists, pictures and printed colours', CHROMIUM, async () => {
  const cwd = await printed('guidelines.pdf', ...PAGES)
  const report = await adopted(cwd, '--from', 'guidelines.pdf')
  const pages = pagesOf(cwd)
  assert.deepEqual(Object.keys(pages).sort(), ['colours.md', 'index.md', 'our-logo.md', 'voice.md'])
  const logo = pages['our-logo.md'] ?? ''
  assert.match(
    logo,
    /^# Our logo\n\nThe logo is our name, and its sign is a mountain that stands apart from its neighbours\.\n\n- Keep it upright\.\n- Give it space\.$/m,
  )
  assert.match(
    logo,
    /!\[The sign on white\]\(\.\.\/files\/p2-1\.png "The sign on white"\)\n\n## Minimum size\n\nIt is never smaller than 20 mm\.\n\n\| Print \| Screen \|\n\| - \| - \|\n\| 20 mm \| 60 px \|/,
  )
  assert.match(logo, /\[p\. 2\]\(\.\.\/files\/guidelines\.pdf#page=2\)/)
  assert.match(
    pages['voice.md'] ?? '',
    /We say what we do\.\n\nWe never shout\.\n\nIn the document: \[p\. 4\][^,]*, \[p\. 5\]/,
  )
  assert.ok(!Object.values(pages).some(text => text.includes('Northwind guidelines')), 'the running head is gone')
  assert.deepEqual(
    report.lost.map(({ path, what, text }) => [path, what, text]),
    [
      ['guidelines.pdf#page=1', 'running head or foot', 'Northwind guidelines'],
      ['guidelines.pdf#page=1', 'running head or foot', '1 … 5'],
    ],
  )
  assert.deepEqual(
    pagesIn(report),
    [1, 2, 3, 4].map(page => `guidelines.pdf#page=${page}`),
  )
  assert.deepEqual(report.merged, [{ from: 'guidelines.pdf#page=5', into: 'guidelines/pages/voice.md' }])
  const colors = readFileSync(join(cwd, 'brand/guidelines/styles/colors.yaml'), 'utf8').replace(/^(?:#.*\n)+/, '')
  assert.equal(
    colors,
    '- name: Vermilion\n  hex: "#cc3304"\n  cmyk: 0, 85, 100, 10\n  pms: 1665 C\n- name: Ink\n  hex: "#14212b"\n  cmyk: 90, 70, 50, 60\n  ral: 5004\n',
  )
  const seen = report.guessed.filter(({ key }) => key === 'hex')
  assert.deepEqual(seen, [
    { path: 'guidelines.pdf#page=3', key: 'hex', value: '#14212b', why: 'the fill beside the name', detail: 'Ink' },
  ])
})

test('a PDF beside pages is a download, unless named; the only one of a folder is read', CHROMIUM, async () => {
  const cwd = await printed('guidelines.pdf', ...PAGES)
  writeFileSync(join(cwd, 'README.md'), '# Logos\n\nRun `npm install`.\n')
  assert.equal(pagesIn(await adopted(cwd, '--from', cwd)).length, 4)
  rmSync(join(cwd, 'brand'), { recursive: true })
  writeFileSync(join(cwd, 'index.md'), '# Home\n')
  assert.equal((await adopted(cwd, '--from', cwd)).placed.length, 2)
  rmSync(join(cwd, 'brand'), { recursive: true })
  assert.equal(pagesIn(await adopted(cwd, '--from', cwd, '--pages', 'guidelines.pdf')).length, 4)
})

test('the entries of an outline become pages, and those below them pages below them', CHROMIUM, async () => {
  const cwd = await printedWith(
    { outline: true, tagged: true },
    'guidelines.pdf',
    '<h1>Northwind</h1>',
    '<h1>Our logo</h1><p>It is our name.</p>',
    `<h2>Clear space</h2><p>It needs air.</p>${LOGO}`,
    '<h1>Voice</h1><p>We say what we do.</p>',
  )
  const { placed } = await adopted(cwd, '--from', 'guidelines.pdf')
  const seen = placed.filter(({ from }) => from.includes('#page=')).map(({ to }) => to.replace('guidelines/pages/', ''))
  assert.deepEqual(seen, ['index.md', 'our-logo.md', 'our-logo/clear-space.md', 'voice.md'])
  const page = readFileSync(join(cwd, 'brand/guidelines/pages/our-logo/clear-space.md'), 'utf8')
  assert.match(page, /!\[\]\(\.\.\/\.\.\/files\/p3-1\.png\)/)
  assert.match(page, /\[p\. 3\]\(\.\.\/\.\.\/files\/guidelines\.pdf#page=3\)/)
})

test('a damaged document, one that is not there, or another file, is told with what is wrong', async () => {
  const cwd = await temporaryFolder()
  writeFileSync(join(cwd, 'guidelines.pdf'), '%PDF-1.7\nnothing')
  const damaged = await housestyle(['init', 'brand', '--from', 'guidelines.pdf'], { cwd })
  assert.equal(damaged.status, 1)
  assert.match(damaged.stderr, /guidelines\.pdf is damaged, or no PDF/)
  const loop = pdfStream('/X Do /X Do', '/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 10 0 R>>>>')
  const file = pdfFile({ pages: ['/X Do'], resources: '/XObject<</X 10 0 R>>', objects: [loop] })
  writeFileSync(join(cwd, 'loop.pdf'), file.toString('latin1').replace('/Count 1', '/Count 99999999'), 'latin1')
  const endless = await housestyle(['init', 'brand', '--from', 'loop.pdf'], { cwd })
  assert.match(endless.stderr, /loop\.pdf (?:is too large or too damaged to read: divide it|is damaged)/)
  const missing = await housestyle(['init', 'brand', '--from', cwd, '--pages', 'other.pdf'], { cwd })
  assert.match(missing.stderr, /--pages other\.pdf: no source has it/)
  writeFileSync(join(cwd, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const other = await housestyle(['init', 'brand', '--from', cwd, '--pages', 'logo.svg'], { cwd })
  assert.match(other.stderr, /--pages logo\.svg: is no PDF/)
})
