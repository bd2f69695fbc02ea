import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How many pages, files, colours and type styles a project may have, and links a page. */
const CAP = 10_000
/** The most that a page may have, in bytes. */
const MAX_PAGE = 1 << 20
/** The most that names, titles and descriptions may have, in characters. */
const MAX_NAME = 1000
/** How many colours and type styles have such names: more do not fit into the 4 MiB of a list. */
const LONG_STYLES = 2500

const FONT = 'examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2'

/**
 * Writes two brand folders below a folder, whose projects everyone may see. `caps` has `guide`, with as many pages side by
 * side, colours, type styles and pictures as a project may have, a page as large as one may be (`large`) and one with as
 * many links (`links`); `names`, with as many of all of these, whose names are as long as they may be and take the most
 * work to escape; and `fonts`, with fonts of one family, and type styles set in it. `many` has 10,000 small projects with
 * such names.
 */
export function writeBrandsAtCaps(folder: string): { caps: string; many: string } {
  const [caps, many] = [join(folder, 'caps'), join(folder, 'many')]
  writeGuide(writer(join(caps, 'guide')))
  writeNames(writer(join(caps, 'names')))
  writeFonts(join(caps, 'fonts'))
  for (let at = 0; at < CAP; at++) {
    const project = writer(join(many, `p${at}`))
    project('project.yaml', `name: '${longName(at)}'\nvisibility: public\n`)
    project('pages/index.md', `# Project ${at}\n`)
  }
  return { caps, many }
}

type Write = (path: string, content: string) => void

function writeGuide(write: Write): void {
  write('project.yaml', 'name: Guide\nvisibility: public\n')
  for (let at = 0; at < CAP - 2; at++) write(`pages/p${at}.md`, pageText(at))
  write('pages/large.md', `# Large\n\n${'All the words of a large page.\n\n'.repeat(MAX_PAGE)}`.slice(0, MAX_PAGE))
  write('pages/links.md', `# Links\n\n${list(at => `[Picture](../files/${picturePath(at)})`)}`)
  for (let at = 0; at < CAP; at++) write(`files/${picturePath(at)}`, picture(at, `Mark ${at}`))
  write(
    'styles/colors.yaml',
    list(at => `{ name: Colour ${at}, hex: '${hex(at)}', cmyk: '10,20,30,40', pms: '${at} C' }`),
  )
  write('styles/types.yaml', typeStyles())
}

function writeNames(write: Write): void {
  write('project.yaml', `name: '${longName(0)}'\nvisibility: public\n`)
  for (let at = 0; at < CAP; at++) {
    const name = longName(at)
    write(`pages/p${at}.md`, `---\ntitle: '${name}'\ndescription: '${name}'\n---\n\nPage ${at}.\n`)
    write(
      `files/${at % 500}/${'n'.repeat(200)}${at}.svg`,
      picture(at, name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    )
  }
  const styleName = (at: number) => (at < LONG_STYLES ? longName(at) : `Style ${at}`)
  write(
    'styles/colors.yaml',
    list(at => `{ name: '${styleName(at)}', id: c${at}, hex: '${hex(at)}' }`),
  )
  write(
    'styles/types.yaml',
    list(at => `{ name: '${styleName(at)}', id: t${at}, size: ${10 + (at % 90)} }`),
  )
}

/** Nearly all of it has to be escaped in HTML. */
function longName(at: number): string {
  return `${'&<'.repeat(MAX_NAME / 2)} ${at}`.slice(-MAX_NAME)
}

function writeFonts(folder: string): void {
  const write = writer(folder)
  write('project.yaml', 'name: Fonts\nvisibility: public\n')
  write('styles/types.yaml', typeStyles())
  mkdirSync(join(folder, 'files'))
  const first = join(folder, 'files/f0.woff2')
  copyFileSync(join(dirname(import.meta.dirname), FONT), first)
  for (let at = 1; at < CAP; at++) linkSync(first, join(folder, `files/f${at}.woff2`))
}

/** Some 2 KB, with a link to another page. */
function pageText(at: number): string {
  const words = Array.from({ length: 300 }, (_, word) => WORDS[(at * 7 + word * (at + 5)) % WORDS.length])
  return `---\ntitle: Page ${at}\n---\n\n# Page ${at}\n\n${words.join(' ')}.\n\nSee [another](p${(at * 7) % CAP}.md).\n`
}

const WORDS =
  'brand colour grid ink light logo margin mark page paper print rule size space tone type voice white'.split(' ')

function picturePath(at: number): string {
  return `f${at % 100}/i${at}.svg`
}

function picture(at: number, title: string): string {
  const size = 10 + (at % 90)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><title>${title}</title></svg>\n`
}

function typeStyles(): string {
  return list(at => `{ name: Style ${at}, family: IBM Plex Sans, size: ${10 + (at % 90)}, leading: 1.5 }`)
}

/** Colours all over the cube, in an order that is none. */
function hex(at: number): string {
  return `#${((at * 1_677_719) % 0x1000000).toString(16).padStart(6, '0')}`
}

function list(entry: (at: number) => string): string {
  return Array.from({ length: CAP }, (_, at) => `- ${entry(at)}\n`).join('')
}

function writer(folder: string): Write {
  return (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
