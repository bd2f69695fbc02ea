import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

/**
 * How large a generated brand folder is; a page has 2 KB and ten links, then `moreLinks`, or as many `paragraphs` of three
 * lines with a link each; a picture has 20 KB.
 */
export type BrandSize = { pages: number; pictures: number; moreLinks?: number; paragraphs?: number }

/** Writes a brand folder with one project, `guide`, in which every link leads somewhere. */
export function writeLargeBrand(folder: string, { pages, pictures, moreLinks = 0, paragraphs }: BrandSize): void {
  for (let at = 0; at < pages; at++) {
    const more = Array.from({ length: moreLinks }, (_, link) => `\n[More](../${within(at * 5 + link * 19, pages)}).\n`)
    const text = paragraphs === undefined ? page(at, pages, pictures) : longPage(at, pages, paragraphs)
    write(join(folder, 'guide', pagePath(at)), text + more.join(''))
  }
  for (let at = 0; at < pictures; at++) write(join(folder, 'guide', picturePath(at)), picture())
}

/** Writes a brand folder of many small projects that everyone may see, `p0`, `p1` …, with a colour and two pages each. */
export function writeManyProjects(folder: string, projects: number): void {
  for (let at = 0; at < projects; at++) {
    write(join(folder, `p${at}/project.yaml`), `name: Project ${at}\nvisibility: public\n`)
    write(join(folder, `p${at}/styles/colors.yaml`), `- { name: Ink ${at}, hex: '#102030' }\n`)
    write(join(folder, `p${at}/pages/index.md`), `# Project ${at}\n\nSee [the mark](mark.md).\n`)
    write(join(folder, `p${at}/pages/mark.md`), `# The mark of ${at}\n\nKeep it clear.\n`)
  }
}

/** Where a page of the project stands in it. */
export function pagePath(at: number): string {
  return `pages/s${at % 100}/p${at}.md`
}

function picturePath(at: number): string {
  return `files/images/i${at}.png`
}

const WORDS =
  'brand colour grid ink light logo margin mark page paper print rule size space tone type voice white'.split(' ')

function page(at: number, pages: number, pictures: number): string {
  let text = opening(at)
  for (let line = 0; text.length < 2000; line++) {
    text += `\n${words(at, line, 14)}.\n`
    if (line % 4 > 0) continue
    const other = within(at * 3 + line * 17, pages)
    const shown = picturePath((at * 5 + line * 13) % pictures)
    text += `\nSee [page ${line}](../${other}) and ![picture ${line}](../../${shown}).\n`
  }
  return text
}

/** A page of 4.8 KB, if it has twenty paragraphs. */
function longPage(at: number, pages: number, paragraphs: number): string {
  const texts = Array.from({ length: paragraphs }, (_, line) => {
    const link = `[page ${line}](../${within(at * 3 + line * 17, pages)})`
    return `\n${words(at, line, 14)}.\nSee ${link} for ${words(at, line + 3, 10)},\nand ${words(at, line + 9, 12)}.\n`
  })
  return opening(at) + texts.join('')
}

function opening(at: number): string {
  return `---\ntitle: Page ${at}\n---\n\n# Page ${at}\n`
}

function words(at: number, line: number, count: number): string {
  const chosen = Array.from(
    { length: count },
    (_, word) => WORDS[(at * 7 + line * 31 + word * (at + 5)) % WORDS.length],
  )
  return chosen.join(' ')
}

/** Where a page stands in pages/. */
function within(at: number, pages: number): string {
  return pagePath(at % pages).slice('pages/'.length)
}

/** A PNG of 80 by 84 pixels of noise, which no compression makes smaller. */
function picture(): Buffer {
  const [width, height] = [80, 84]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const rows = Buffer.concat(Array.from({ length: height }, () => [Buffer.alloc(1), randomBytes(width * 3)]).flat())
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

function chunk(name: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
