import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { withoutUndefined } from '#platform/base/object.ts'
import { anyOf, groupsOf } from '#platform/base/text.ts'
import { openXml, type XmlElement, type XmlListener, type XmlText } from '../xml/parse-xml.ts'
import { BYTE_ORDERS } from './signature.ts'

/** Listens to the parts of an SVG. */
export type SvgListener = Required<Pick<XmlListener, 'open' | 'close' | 'text' | 'instruction'>>

/** The local name and the attributes of the root element, its first title and description, and the first error. */
export type SvgFacts = {
  root: { name: string; attributes: Readonly<Record<string, string>> } | undefined
  title: string
  desc: string
  error: string | undefined
}

/**
 * Reads at most 4 MiB of an SVG, also of a compressed one (svgz), and reports the first error that keeps browsers from
 * showing it. Does not expand DOCTYPE entities.
 */
export async function readSvg(bytes: Buffer, listener: SvgListener): Promise<SvgFacts> {
  const isPacked = bytes.toString('latin1', 0, 2) === '\x1f\x8b'
  const source = Readable.from(chunksOf(bytes))
  const reader = openReader(listener)
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let length = 0
  for await (const chunk of isPacked ? source.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })) : source) {
    decoder ??= new TextDecoder(encodingOf(chunk))
    reader.write(decoder.decode(chunk, { stream: true }))
    length += chunk.length
    if (length >= MAX_BYTES) break
  }
  return reader.facts(length < MAX_BYTES)
}

const MAX_BYTES = 4 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024

/** The maximum length to collect for a title or description; longer than the stored limit. */
const MAX_TEXT = 10_000

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** Detects the encoding from the byte order mark or the XML declaration, else UTF-8 (XML 1.0, appendix F). */
function encodingOf(start: Buffer): string {
  const marked = BYTE_ORDERS.get(start.toString('latin1', 0, 2))
  if (marked !== undefined) return marked
  const [, declared = ''] = groupsOf(
    /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})/,
    start.toString('latin1', 0, 200),
  )
  return ENCODINGS.test(declared) ? declared : 'utf-8'
}

/** The beginnings of encodings of one byte each. */
const ENCODINGS = new RegExp(`^${anyOf(['iso-8859', 'windows-', 'us-ascii'])}`, 'i')

const NOT_DRAWN: ReadonlySet<string> = new Set(['title', 'desc', 'metadata', 'defs', 'style', 'namedview'])

/** Reads an SVG, and checks it as strictly as a browser, which shows nothing if there is an error. */
function openReader(listener: SvgListener) {
  const texts = { title: '', desc: '' }
  /**
   * Whether the facts are complete: a title or the first drawn element has been read. After it, an error ends the
   * reading.
   */
  let isRead = false
  /** The text that is being read, if one is. */
  let part: keyof typeof texts | null = null
  let root: XmlElement | undefined
  let firstError: string | undefined
  const collect = (text: XmlText) => {
    listener.text(text)
    if (part !== null && texts[part].length < MAX_TEXT) texts[part] += text.value
  }
  const reader = openXml(
    {
      problem: ({ message, line }) => {
        firstError ??= `line ${line}: ${message}`
      },
      open: (element, end) => {
        listener.open(element, end)
        const { local, depth } = element
        if (root === undefined) {
          root = element
          firstError ??= namespaceError(element)
        }
        if (depth !== 2 || isRead) return
        isRead = !NOT_DRAWN.has(local)
        part = (local === 'title' || local === 'desc') && texts[local] === '' ? local : null
      },
      close: (element, end) => {
        listener.close(element, end)
        if (element.depth > 2) return
        part = null
        isRead ||= element === root || texts.title.trim() !== ''
      },
      text: collect,
      cdata: collect,
      instruction: listener.instruction,
    },
    // A DOCTYPE may define entities, which this reader does not expand.
    { hasNamespaces: true, ignoredAfterDoctype: /entity/i },
  )
  return {
    /** The size can still be read after an error. */
    write: (text: string) => {
      if (firstError === undefined || !isRead) reader.write(text)
    },
    /** `isWhole`: the whole file was written. */
    facts: (isWhole: boolean): SvgFacts => {
      const element = root && { name: root.local, attributes: Object.fromEntries(root.attributes) }
      if (isWhole && firstError === undefined) reader.close()
      return { root: element, ...texts, error: firstError }
    },
  }
}

const SVG = 'http://www.w3.org/2000/svg'

/**
 * The error of a root without the namespace of SVG: `<svg>` needs `xmlns`, `<a:svg>` needs `xmlns:a`. An entity may
 * have it.
 */
function namespaceError({ name, attributes }: XmlElement): string | undefined {
  const declaration = ['xmlns', ...name.split(':').slice(0, -1)].join(':')
  const uri = String(attributes.get(declaration)).trim()
  if (uri === SVG || uri.startsWith('&')) return undefined
  return `<${name}> has no ${declaration}="${SVG}"`
}

/**
 * The size of an SVG as a picture in a browser, in CSS pixels with two decimals: `width` and `height` if they are
 * lengths. A missing one is computed from the other and the aspect ratio of `viewBox`, or taken from `viewBox` (CSS
 * Images 3 §5). Otherwise it is omitted; the browser defaults of 300 and 150 do not describe the picture.
 */
export function svgSize(attributes: Readonly<Record<string, string>>): { width?: number; height?: number } {
  const box = viewBox(attributes.viewBox)
  const givenWidth = pixels(attributes.width)
  const givenHeight = pixels(attributes.height)
  const width = givenWidth ?? ((givenHeight ?? box.height) * box.width) / box.height
  const height = givenHeight ?? ((givenWidth ?? box.width) * box.height) / box.width
  return withoutUndefined({ width: round(width), height: round(height) })
}

const NUMBER = '[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:e[+-]?[0-9]+)?'
const LENGTH = new RegExp(`^\\s*(${NUMBER})([a-z]*)\\s*$`, 'i')
const VIEW_BOX = new RegExp(`^\\s*${Array(4).fill(`(${NUMBER})`).join('[\\s,]+')}\\s*$`, 'i')

/** In pixels (CSS Values 4 §6). A picture has no font, so em and rem are 16 px. Percentages have no size here. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['q', 96 / 101.6],
  ['pt', 96 / 72],
  ['pc', 16],
  ['em', 16],
  ['rem', 16],
  ['ex', 8],
  ['ch', 8],
])

/** A length, such as `12.5mm`, in pixels; undefined for percentages and other text. */
function pixels(attribute: string | undefined): number | undefined {
  const [, number, unit = ''] = shortGroups(LENGTH, attribute)
  const value = Number(number) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN)
  return value > 0 ? value : undefined
}

function shortGroups(pattern: RegExp, attribute = ''): ReturnType<typeof groupsOf> {
  return attribute.length > 200 ? [] : groupsOf(pattern, attribute)
}

/** The size of a view box; not a number without one. */
function viewBox(attribute: string | undefined): { width: number; height: number } {
  const [width = NaN, height = NaN] = shortGroups(VIEW_BOX, attribute).slice(3).map(Number)
  return Math.min(width, height) > 0 ? { width, height } : { width: NaN, height: NaN }
}

function round(length: number): number | undefined {
  const value = Math.round(length * 100) / 100
  return value > 0 && value < 2 ** 31 ? value : undefined
}
