import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How many pages, files, colours and type styles a project may have, and links a page. */
const CAP = 10_000
/** The most that a page may have, in bytes. */
const MAX_PAGE = 1 << 20
const PROJECTS = 1000

const FONT = 'examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2'

/**
 * Writes two brand folders below a folder, whose projects everyone may see. `caps` has `guide`, with as many pages side by
 * side, colours, type styles and pictures as a project may have, a page as large as one may be (`large`) and one with as
 * many links (`links`); and `fonts`, with fonts of one family, and type styles set in it. `many` has small projects.
 */
export function writeBrandsAtCaps(folder: string): { caps: string; many: string } {
  const [caps, many] = [join(folder, 'caps'), join(folder, 'many')]
  writeGuide(writer(join(caps, 'guide')))
  writeFonts(join(caps, 'fonts'))
  for (let at = 0; at < PROJECTS; at++) {
    const project = writer(join(many, `p${at}`))
    project('project.yaml', `name: Project ${at}\nvisibility: public\n`)
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
  for (let at = 0; at < CAP; at++) write(`files/${picturePath(at)}`, picture(at))
  write(
    'styles/colors.yaml',
    list(at => `{ name: Colour ${at}, hex: '${hex(at)}', cmyk: '10,20,30,40', pms: '${at} C' }`),
  )
  write('styles/types.yaml', typeStyles())
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

function picture(at: number): string {
  const size = 10 + (at % 90)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><title>Mark ${at}</title></svg>\n`
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
