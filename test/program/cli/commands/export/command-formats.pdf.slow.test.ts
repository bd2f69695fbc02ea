import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import test, { after } from 'node:test'
import { needs, pathOf } from '#test/support/programs.ts'
import { folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { SMALL_BRAND } from '#test/support/temporary-store.ts'
import { housestyle } from '../../housestyle.ts'

const TEXTS = needs('chromium', 'pdftotext')
const PICTURES = needs('chromium', 'pdftotext', 'pdftoppm')

// Windows forbids files with the names of two pages.
const folder = await folderWith({
  ...SMALL_BRAND,
  'guidelines/pages/aux.md': '# Port\n',
  'guidelines/pages/con.md': '# Console\n',
})
/** Debian's Chromium without windows prints the same in less time; one test uses the full one. */
const SMALL_CHROMIUM = pathOf('chromium-headless-shell') ?? pathOf('chromium') ?? ''
/** Books that other tests make at the same time are in another folder. */
const temporary = await temporaryFolder()
const before = process.env.TMPDIR
process.env.TMPDIR = temporary
after(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
})
const guide = ['export', 'acme/guidelines', '--folder', folder, '--to', 'pdf']

test('a guide is printed as a book with contents and bookmarks', TEXTS, async () => {
  const out = join(folder, '..', 'guide.pdf')
  const { status, stderr } = await housestyle([...guide, '--out', out, '--chromium', pathOf('chromium') ?? ''], {}, own)
  assert.equal(status, 0, stderr)
  assert.match(stderr, /^wrote \S+guide\.pdf \([\d.]+ KiB\)\n$/)
  const sheets = sheetsOf(out)
  const [title = '', contents = ''] = sheets
  assert.match(title, /Brand guidelines\s+Acme GmbH\s+Draft/)
  const listed = Array.from(
    contents.matchAll(/^ *(\S.*?) {2,}(\d+)$/gm),
    ([, name = '', at]) => [name, Number(at)] as const,
  )
  const kept = listed.map(([name]) => name).filter(name => /^\w+$/.test(name))
  assert.deepEqual(kept, ['Welcome', 'Port', 'Console', 'Logo', 'Misuse', 'Colours', 'Type'])
  for (const [at, [name, number]] of listed.entries()) {
    // Only the first page on a sheet begins at its top.
    const isFirst = listed[at - 1]?.[1] !== number
    assert.match(sheets[number - 1]?.trim() ?? '', new RegExp(`^${isFirst ? '' : '[^]*\\n *'}${name}$`, 'm'))
  }
  for (const [at, sheet] of sheets.entries()) if (at > 0) assert.match(sheet, new RegExp(`\\b${at + 1}\\s*$`))
  const text = execFileSync('pdfinfo', [out], { encoding: 'utf8' })
  assert.match(text, /Title: +Brand guidelines[\s\S]*Page size: +59\d\.?\d* x 84\d/)
  const pdf = await readFile(out, 'latin1')
  assert.match(pdf, /\/Type \/Outlines/)
  assert.doesNotMatch(pdf, /file:\/\/|housestyle-book/)
})

test('a dark guide is printed on its background, in landscape if wanted', PICTURES, async () => {
  const names = Array.from({ length: 16 }, (_, at) => `Style ${at + 1}`)
  const folder = await folderWith({
    'workspace.yaml': 'id: nocturne\n',
    'guide/project.yaml': 'name: Nocturne\ntheme: { ground: night, text: moon, accent: signal }\n',
    'guide/styles/colors.yaml':
      '- { name: Night, hex: "#0c0d14" }\n- { name: Moon, hex: "#f2f0ff" }\n- { name: Signal, hex: "#d8ff3e" }\n- { name: Dusk, hex: "#403070" }\n',
    'guide/styles/types.yaml': names.map(name => `- { name: ${name}, size: 64 }\n`).join(''),
    'guide/files/sans.woff2': readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2'),
    'guide/pages/index.md': '---\nground: dusk\n---\n\n# After dark\n\nPale words.\n',
  })
  const out = join(folder, '..', 'dark.pdf')
  const args = ['export', '--folder', folder, '--to', 'pdf', '--landscape', '--out', out]
  const { status, stderr } = await housestyle([...args, '--chromium', SMALL_CHROMIUM], {}, own)
  assert.equal(status, 0, stderr)
  assert.match(execFileSync('pdfinfo', [out], { encoding: 'utf8' }), /Page size: +84\d\.?\d* x 59\d/)
  const sheets = sheetsOf(out)
  const seen = [1, 2, sheets.findLastIndex(sheet => sheet.includes('Style')) + 1].map(page => cornerOf(out, page))
  assert.deepEqual(seen, ['#403070', '#403070', '#0c0d14'])
  assert.match(sheets[1] ?? '', /Pale words/)
  const scale = sheets.find(sheet => sheet.includes('Style 1')) ?? ''
  for (const name of names) assert.ok(scale.includes(name), name)
  const heights = wordHeights(out).flatMap(([word, height]) => (word === 'Style' ? height : []))
  assert.ok(heights.length === names.length && Math.min(...heights) >= 7, 'captions of at least 6 pt')
  assert.doesNotMatch(sheets.join(''), /^ *(?:\S +){9,}\S$/m, 'characters are not listed')
  assert.match(sheets.join(''), /Characters\s+Latin 121 +Punctuation 45/)
})

test('no sheet of a book except its cover is nearly empty', PICTURES, async () => {
  const folder = await folderWith(SHORT_ENDS)
  for (const [at, args] of [
    ['acme/guidelines', '--folder', resolve('examples/acme')],
    ['ends/guide', '--folder', folder],
    ['ends/guide', '--folder', folder, '--landscape'],
  ].entries()) {
    const out = join(temporary, `fill-${at}.pdf`)
    const pdf = ['--to', 'pdf', '--out', out, '--chromium', SMALL_CHROMIUM]
    const { status, stderr } = await housestyle(['export', ...args, ...pdf], {}, own)
    assert.equal(status, 0, stderr)
    const filled = fills(out)
    const short = filled.flatMap((fill, at) => (at === 0 || fill >= 0.14 ? [] : [[at + 1, fill]]))
    assert.deepEqual(short, [], args.join(' '))
    const low = filled.filter(fill => fill < 0.4)
    assert.ok(low.length <= 0.1 * filled.length, `${low.length} of ${filled.length} sheets of ${args.join(' ')}`)
    const titles = sheetsOf(out).filter(
      (sheet, at) => at > 0 && wordsIn(sheet).length <= MAX_DIVIDER && (filled[at] ?? 0) < 0.4,
    )
    assert.deepEqual(titles, [], args.join(' '))
    const headings = await headingsIn(args[2] ?? '')
    const lasts = sheetsOf(out).map(sheet => /(.*)(?:\n\s*\d+\s*)?$/.exec(sheet.trimEnd())?.[1]?.trim() ?? '')
    const bare = lasts.filter(last => headings.has(last))
    assert.deepEqual(bare, [], `a heading is the last on a sheet of ${args.join(' ')}`)
    const levels = wordHeights(out).filter(([word]) => /^(?:fails|A{2,3})$/.test(word))
    assert.ok(at === 0 || levels.length >= 380, `${levels.length} contrasts`)
    for (const [word, height] of levels)
      assert.ok(height > 9.5, `${word} has ${height} pt with its ascenders, for letters of 7.5 pt`)
  }
})

/** The headings below the titles of all pages in a folder. */
async function headingsIn(folder: string): Promise<Set<string>> {
  const pages = (await readdir(folder, { recursive: true })).filter(path => path.endsWith('.md'))
  const texts = await Promise.all(pages.map(path => readFile(join(folder, path), 'utf8')))
  return new Set(texts.flatMap(text => Array.from(text.matchAll(/^##+ (.+)$/gm), ([, name = '']) => name)))
}

/** The words of a sheet that only divides others, with the number of its page. */
const MAX_DIVIDER = 5

test('a book of four pages has a cover, shares sheets, and repeats no palette', PICTURES, async () => {
  const folder = await folderWith(FOUR_PAGES)
  for (const [ground, mark] of [
    ['night', '#ffe95c'],
    ['paper', '#102030'],
  ]) {
    const home = `---\ndescription: How Fjord looks.\nground: ${ground}\n---\n\n# Fjord\n\nWelcome on board.\n`
    await writeFile(join(folder, 'guide/pages/index.md'), home)
    const out = join(temporary, `four-${ground}.pdf`)
    const args = ['export', '--folder', folder, '--to', 'pdf', '--out', out, '--chromium', SMALL_CHROMIUM]
    const { status, stderr } = await housestyle(args, {}, own)
    assert.equal(status, 0, stderr)
    const [cover = '', ...sheets] = sheetsOf(out)
    assert.match(cover, /^\s*Fjord guidelines\s+How Fjord looks\.\s+Fjord Lines\s+Draft, \w+ \d{4}\s*$/)
    assert.ok(colorsOf(out).has(mark ?? ''), `a logo for ${ground}`)
    assert.ok(sheets.length < 8, `${sheets.length} sheets`)
    for (const sheet of sheets) assert.ok(wordsIn(sheet).length > MAX_DIVIDER, sheet)
    for (const hex of ['#102030', '#f8f4ee', '#c8501e'])
      assert.equal(sheets.join('').split(hex).length, 2, `${hex} once`)
    assert.ok(sheets.some(sheet => sheet.includes('Open Font License') && wordsIn(sheet).length > 50))
  }
})

const FOUR_PAGES = {
  'workspace.yaml': 'id: fjord\nname: Fjord Lines\n',
  'guide/project.yaml':
    'name: Fjord guidelines\ntheme: { ground: paper, text: night, accent: buoy, logo: files/mark.svg, logoDark: files/mark-white.svg, dark: off }\n',
  'guide/styles/colors.yaml':
    '- { name: Night, hex: "#102030" }\n- { name: Paper, hex: "#f8f4ee" }\n- { name: Buoy, hex: "#c8501e" }\n',
  'guide/styles/types.yaml':
    '- { name: Title, family: IBM Plex Sans, size: 48 }\n- { name: Text, family: IBM Plex Sans }\n',
  'guide/files/sans.woff2': readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2'),
  'guide/files/mark.svg': drawing('#102030'),
  'guide/files/mark-white.svg': drawing('#ffe95c'),
  'guide/files/files.yaml': 'mark.svg: { clearSpace: 0.5, minWidth: 16 }\n',
  'guide/pages/logo.md': '---\nground: buoy\n---\n\n# Logo\n\n[The mark](../files/mark.svg?stage)\n',
  'guide/pages/colour.md':
    '---\nground: buoy\n---\n\n# Colour\n\n- [Night](../styles/colors.yaml#night)\n- [Paper](../styles/colors.yaml#paper)\n- [Buoy](../styles/colors.yaml#buoy)\n',
  'guide/pages/voice.md': '# Voice\n\nSay it as on deck: short and clear.\n',
}

/** Chapters whose text ends at many different heights, with pictures and pages below them. */
const SHORT_ENDS = {
  'workspace.yaml': 'id: ends\n',
  'guide/project.yaml': 'name: Ends\n',
  'guide/styles/colors.yaml': Array.from(
    { length: 20 },
    (_, at) => `- { name: Hue ${at}, hex: "#${at + 10}40${90 - at}" }\n`,
  ).join(''),
  'guide/files/tall.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="900"><rect width="400" height="900"/></svg>',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `guide/pages/page-${at}.md`,
      `# Page ${at}\n\n${'A paragraph of a few words.\n\n'.repeat(4 * at)}## Part ${at}\n\n${'Words below a heading.\n\n'.repeat(at)}${at % 3 === 2 ? '![A picture](../files/tall.svg)\n\nEnd.\n' : ''}`,
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `guide/pages/page-3/below-${at}.md`,
      `# Below ${at}\n\n${'- One of several points.\n'.repeat(5 * at + 1)}`,
    ]),
  ),
}

/** The height of each sheet from its first to its last mark above the page number, as a share of the sheet. */
function fills(pdf: string): number[] {
  const pages = execFileSync('pdftoppm', ['-r', '20', '-gray', pdf], { maxBuffer: 1 << 28 })
  const heights: number[] = []
  for (let start = 0; start < pages.length; ) {
    const [head = '', width = 0, height = 0] =
      /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pages.toString('latin1', start, start + 40)) ?? []
    const [columns, rows] = [Number(width), Number(height)]
    const pixels = pages.subarray(start + head.length, start + head.length + columns * rows)
    const ground = pixels[2 * columns + 2] ?? 0
    const marked = Array.from({ length: Math.floor(0.93 * rows) }, (_, row) => row).filter(row =>
      pixels.subarray(row * columns + 3, (row + 1) * columns - 3).some(value => Math.abs(value - ground) > 6),
    )
    heights.push(((marked.at(-1) ?? 0) - (marked[0] ?? 0)) / rows)
    start += head.length + columns * rows
  }
  return heights
}

test('without a working Chromium, a book fails with a clear message and leaves nothing behind', async () => {
  const cases: [args: string[], status: number, message: RegExp][] = [
    [[], 1, /needs Chromium, and there is none in PATH: install it, or name it with --chromium/],
    [['--chromium', '/none'], 2, /--chromium: \/none is not a program/],
    [['--chromium', '/bin/true'], 1, /\/bin\/true does not print: is it Chromium\?/],
  ]
  for (const [args, status, message] of cases) {
    const ran = await housestyle([...guide, '--out', join(folder, '..', 'none.pdf'), ...args], {}, own)
    assert.match(ran.stderr, message)
    assert.equal(ran.status, status)
  }
  assert.deepEqual(await books(), [])
  const other = await housestyle(['export', '--to', 'site', '--chromium', '/bin/true'])
  assert.match(other.stderr, /--chromium is for pdf, not for site/)
})

test('the copy for a book has only its chapters and the files that they show', { ...needs('Linux') }, async () => {
  const unused = Array.from({ length: 30 }, (_, at) => [
    `guidelines/files/unused-${at + 10}.svg`,
    drawing(`#0000${at + 10}`),
  ])
  const folder = await folderWith({
    ...SMALL_BRAND,
    'guidelines/files/shown.svg': drawing('red'),
    'guidelines/files/files.yaml': 'shown.svg: { clearSpace: 0.5 }\n',
    ...Object.fromEntries(unused),
    'guidelines/pages/index.md':
      '# Welcome\n\n![Shown](../files/shown.svg)\n\n[Shown](../files/shown.svg?stage)\n\nSee [a logo](../files/unused-39.svg) and [more](logo.md).\n',
    'list.sh': LIST_COPY,
  })
  const program = join(folder, 'list.sh')
  await chmod(program, 0o755)
  await housestyle(['export', 'acme/guidelines', '--folder', folder, '--to', 'pdf', '--chromium', program], {}, own)
  const copied = (await readFile(join(folder, 'copied'), 'utf8')).trim().split('\n')
  const has = (path: string) => copied.includes(`./${path}`)
  assert.ok(has('logo/index.html') && has('-/media/files/shown.svg'), copied.join(' '))
  assert.ok(!has('-/media/files/unused-39.svg') && !has('-/files/index.html'), copied.join(' '))
  const images = await readFile(join(folder, 'images'), 'utf8')
  assert.match(images, /<image [^>]*href="-\/media\/files\/shown\.svg"/)
  const unexpected = copied.filter(path => !/\.(?:html|css|woff2|svg|webp|png|housestyle-site)$/.test(path))
  assert.deepEqual(unexpected, [])
})

/** Lists the copy next to its profile instead of printing. */
const LIST_COPY = `#!/bin/sh
for each; do
  case "$each" in
    --user-data-dir=*) cd "$(echo "$each" | cut -d= -f2)/../copy" && find . -type f >"$(dirname "$0")/copied"; grep -o '<image [^>]*' *.html >"$(dirname "$0")/images" ;;
  esac
done
`

function drawing(fill: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="${fill}"/></svg>`
}

test('an interrupted book ends its browser and leaves nothing behind', needs('chromium'), async () => {
  const stop = new AbortController()
  const watch = setInterval(async () => {
    for (const book of await books())
      if (existsSync(join(temporary, book, 'profile'))) stop.abort(new DOMException('SIGINT', 'AbortError'))
  }, 5)
  const out = join(folder, '..', 'stopped.pdf')
  const args = [...guide, '--out', out, '--chromium', SMALL_CHROMIUM]
  const { status, stderr } = await housestyle(args, {}, { ...own, signal: stop.signal })
  clearInterval(watch)
  assert.ok(stop.signal.aborted)
  assert.equal(status, 130, stderr)
  assert.doesNotMatch(stderr, /is it Chromium/)
  assert.deepEqual(await books(), [])
  const unexpected = (await readdir(temporary)).filter(name => /chromium/i.test(name))
  assert.deepEqual(unexpected, [])
})

test('in a book, films show a frame or their name, and lists page numbers', PICTURES, async () => {
  const folder = await folderWith({
    'workspace.yaml': 'id: films\n',
    'guide/project.yaml': 'name: Films\n',
    'guide/files/ident.webm': readFileSync('examples/acme/guidelines/files/film/ident.webm'),
    'guide/files/broken.webm': 'no film',
    'guide/pages/index.md': '# Films\n\n- [First](first.md)\n- [Second](second.md)\n',
    'guide/pages/first.md': '# First\n\n![The ident](../files/ident.webm)\n',
    'guide/pages/second.md': '# Second\n\n![A broken film](../files/broken.webm)\n',
  })
  const out = join(temporary, 'films.pdf')
  const args = ['export', '--folder', folder, '--to', 'pdf', '--out', out, '--chromium', SMALL_CHROMIUM]
  const { status, stderr } = await housestyle(args, {}, own)
  assert.equal(status, 0, stderr)
  const sheets = sheetsOf(out)
  assert.match(sheets[1] ?? '', /First +2 +Second +3(?:.|\n)+The ident/)
  assert.match(sheets[2] ?? '', /A broken film/)
  assert.ok((fills(out)[1] ?? 0) > 0.5)
})

test('wide tables, code and long covers are whole in a book of either direction', TEXTS, async () => {
  const heads = 'Medium Format Width Space Colour Ink Paper Finish Supplier Contact'.split(' ')
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const table = (head: readonly string[], cells: readonly string[]) =>
    row(head) + row(head.map(() => '---')) + row(cells)
  const values =
    'Card, 1189 × 1682 mm, 180 mm, 40 mm, CMYK, PANTONE 1665 C, Munken Polar 300 g, Silkscreen, Plakatunion Nord, LASTCELL'
  const forty = Array.from({ length: 40 }, (_, at) => `Column${at}`)
  const folder = await folderWith({
    'workspace.yaml': 'id: wide\n',
    'guide/project.yaml': 'name: Wide\nlang: ar\n',
    'guide/pages/index.md': `# Wide\n\n## Ten\n\n${table(heads, values.split(', '))}\n## Forty\n\n${table(forty, forty)}\n## Code\n\n\`\`\`\n${'long'.repeat(70)}LASTCODE\n\`\`\`\n
## Code in a cell\n\n${table(['A', 'B'], [`\`${'long'.repeat(70)}LASTCODE\``, 'AFTERCODE'])}\n<table><caption>${'long'.repeat(70)}</caption><tr><td>A</td><td>AFTERCAPTION</td></tr></table>\n
<!-- columns: 3 -->\n\n${['One', 'Zusammenarbeitsverantwortlichkeiten'.repeat(2), 'Three'].map(name => `### ${name}\n\n${table(heads.slice(0, 4), heads.slice(0, 4))}`).join('\n')}`,
    'guide/pages/cover.md': `---\ndescription: ${'Long words. '.repeat(80)}LASTLEAD\n---\n\n# ${'Title '.repeat(30)}Markenarchitekturrichtlinien\n\nText.\n`,
  })
  const out = join(temporary, 'wide.pdf')
  const args = ['export', '--folder', folder, '--to', 'pdf', '--out', out, '--chromium', SMALL_CHROMIUM]
  const { status, stderr } = await housestyle(args, {}, own)
  assert.equal(status, 0, stderr)
  assert.deepEqual(stderr.match(/^warning: .*$/gm), [
    'warning: words are broken or cut off below "Forty", which is too wide: split it, or use --landscape',
  ])
  const text = execFileSync('pdftotext', ['-raw', out, '-'], { encoding: 'utf8' })
  for (const word of [...heads, 'LASTCELL', 'PANTONE', ...WHOLE]) assert.ok(text.includes(word), word)
  assert.match(text, /Zu[a-z]+\u00ad/, 'a word that does not fit has a hyphen')
  const letters = text.replace(/\s/g, '')
  for (const word of [...forty, 'LASTCODE']) assert.ok(letters.includes(word), word)
  const words = execFileSync('pdftotext', ['-bbox', out, '-'], { encoding: 'utf8' })
  for (const [, left = '', right = ''] of words.matchAll(/xMin="([-\d.]+)" yMin="[-\d.]+" xMax="([-\d.]+)"/g))
    assert.ok(Number(left) > 40 && Number(right) < 555, `${left} ${right}`)
  for (const [word, height] of wordHeights(out)) assert.ok(height > 5, `${word} ${height}`)
})

/** Words after others that are wider than a sheet, and a long one of a title. */
const WHOLE = ['AFTERCODE', 'AFTERCAPTION', 'LASTLEAD', 'Markenarchitekturrichtlinien']

/** The words of a PDF with their heights in points. */
function wordHeights(pdf: string): [word: string, height: number][] {
  const words = execFileSync('pdftotext', ['-bbox', pdf, '-'], { encoding: 'utf8' })
  return Array.from(
    words.matchAll(/yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)/g),
    ([, top, bottom, word = '']) => [word, Number(bottom) - Number(top)],
  )
}

function sheetsOf(pdf: string): string[] {
  return execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' }).split('\f').slice(0, -1)
}

function wordsIn(sheet: string): string[] {
  return sheet.match(/\S+/g) ?? []
}

/** The colours of the first sheet. */
function colorsOf(pdf: string): Set<string> {
  const ppm = execFileSync('pdftoppm', ['-l', '1', '-r', '40', pdf], { maxBuffer: 1 << 28 })
  const [head = ''] = /^P6\s+\d+\s+\d+\s+255\s/.exec(ppm.toString('latin1', 0, 40)) ?? []
  const pixels = ppm.subarray(head.length)
  return new Set(Array.from({ length: pixels.length / 3 }, (_, at) => `#${pixels.toString('hex', 3 * at, 3 * at + 3)}`))
}

/** The colour near the top left corner of a printed page. */
function cornerOf(pdf: string, page: number): string {
  const only = ['-f', `${page}`, '-l', `${page}`, '-r', '20', pdf]
  const ppm = execFileSync('pdftoppm', only)
  const [head = ''] = /^P6\s+\d+\s+\d+\s+255\s/.exec(ppm.toString('latin1', 0, 40)) ?? []
  const width = Number(head.split(/\s+/)[1])
  return `#${ppm.subarray(head.length).toString('hex', 3 * (2 * width + 2), 3 * (2 * width + 3))}`
}

/** The user who runs the tests. For root, Chromium has no sandbox. */
const own = { userId: process.getuid?.() ?? 0 }

async function books(): Promise<string[]> {
  return (await readdir(temporary)).filter(name => name.startsWith('housestyle-book-'))
}
