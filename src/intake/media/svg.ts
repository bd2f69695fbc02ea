import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { failed, ok, type Result } from '../../base/result.ts'
import { type OpenFile, readAt } from '../folder/open-file.ts'
import { embeddedDescription } from './embedded-text.ts'
import type { MediaDetails } from './media-task.ts'
import { svgSize } from './svg-size.ts'

/**
 * Reads the size of an SVG from its root element, and as its description the root's `aria-label`, `<title>` or `<desc>`,
 * the first of them that there is (in the order of SVG-AAM). Reads on no further than to the first thing drawn, and
 * never past 4 MiB. Packed ones (svgz) too. Entities of a DOCTYPE are not expanded.
 */
export async function readSvg(file: OpenFile): Promise<Result<MediaDetails, string>> {
  const start = Buffer.alloc(2)
  readAt(file, start, 0)
  const isPacked = start[0] === 0x1f && start[1] === 0x8b
  const source = Readable.from(chunksOf(file))
  const document = openDocument()
  let decoder: TextDecoder | undefined
  let length = 0
  for await (const chunk of isPacked ? source.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })) : source) {
    decoder ??= new TextDecoder(encodingOf(chunk))
    document.write(decoder.decode(chunk, { stream: true }))
    length += chunk.length
    if (document.isDone() || length > MAX_BYTES) break
  }
  return document.answer()
}

const MAX_BYTES = 4 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024

/** Enough of a title, characters. */
const MAX_TEXT = 10_000

function* chunksOf(file: OpenFile): Generator<Buffer> {
  for (let at = 0; at < MAX_BYTES; ) {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    const length = readAt(file, chunk, at)
    if (length === 0) return
    yield chunk.subarray(0, length)
    at += length
  }
}

/** XML 1.0 appendix F: a byte order mark, else what the declaration says, else UTF-8. */
function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const declared = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})/.exec(
    start.toString('latin1', 0, 200),
  )?.[1]
  return declared !== undefined && /^(iso-8859|windows-|us-ascii)/i.test(declared) ? declared : 'utf-8'
}

/** Elements that stand before what is drawn. */
const PREFACE: ReadonlySet<string> = new Set(['title', 'desc', 'metadata', 'defs', 'style', 'namedview'])

function openDocument() {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  let part: 'title' | 'desc' | null = null
  let isDone = false
  let root: SaxesTagPlain | undefined
  const texts = { title: '', desc: '' }
  const collect = (text: string) => {
    if (part !== null && texts[part].length < MAX_TEXT) texts[part] += text
  }
  parser.on('error', () => {}) // An undefined entity or a stray character hides no size.
  parser.on('opentag', tag => {
    if (isDone) return
    depth++
    const name = localName(tag.name)
    if (depth === 1 && root === undefined) {
      isDone = name !== 'svg'
      if (!isDone) root = tag
    } else if (depth === 2) {
      isDone = !PREFACE.has(name)
      part = (name === 'title' || name === 'desc') && texts[name] === '' ? name : null
    }
  })
  parser.on('closetag', () => {
    depth--
    if (depth <= 1) part = null
    if (depth === 0 || texts.title.trim() !== '') isDone ||= part === null
  })
  parser.on('text', collect)
  parser.on('cdata', collect)
  return {
    write: (text: string) => parser.write(text),
    isDone: () => isDone,
    answer: () => answer(root, texts),
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function answer(root: SaxesTagPlain | undefined, texts: { title: string; desc: string }): Result<MediaDetails, string> {
  if (root === undefined) return failed('it does not begin with an <svg> element; export it again as SVG')
  const size = svgSize(root.attributes)
  const description = embeddedDescription(root.attributes['aria-label'], texts.title, texts.desc)
  return ok({
    ...(Object.keys(size).length === 0 ? {} : { metadata: size }),
    ...(description === undefined ? {} : { description }),
  })
}
