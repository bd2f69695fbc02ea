import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

/** Writes a brand folder with one project. A page has 2 KB and ten working links, a picture 20 KB. */
export function writeLargeBrand(folder: string, { pages, pictures }: { pages: number; pictures: number }): void {
  for (let at = 0; at < pages; at++) write(join(folder, 'guide/pages', pagePath(at)), page(at, pages, pictures))
  for (let at = 0; at < pictures; at++) write(join(folder, 'guide', picturePath(at)), picture())
}

/** Below pages/. */
function pagePath(at: number): string {
  return `s${at % 100}/p${at}.md`
}

function picturePath(at: number): string {
  return `files/images/i${at}.png`
}

function page(at: number, pages: number, pictures: number): string {
  let text = `---\ntitle: Page ${at}\n---\n\n# Page ${at}\n`
  for (let line = 0; text.length < 2000; line++) {
    text += `\n${words(at, line)}.\n`
    if (line % 4 > 0) continue
    const target = pagePath((at * 3 + line * 17) % pages)
    const shown = picturePath((at * 5 + line * 13) % pictures)
    text += `\nSee [page ${line}](../${target}) and ![picture ${line}](../../${shown}).\n`
  }
  return text
}

const WORDS =
  'brand colour grid ink light logo margin mark page paper print rule size space tone type voice white'.split(' ')

function words(at: number, line: number): string {
  return Array.from({ length: 14 }, (_, word) => WORDS[(at * 7 + line * 31 + word * (at + 5)) % WORDS.length]).join(' ')
}

/** A PNG of 80 by 84 random pixels, which do not compress. */
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
