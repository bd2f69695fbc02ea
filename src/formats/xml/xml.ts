import { SaxesParser } from 'saxes'

/** A decoded value, and its offsets in the file, without quotes. */
export type XmlText = { value: string; start: number; end: number; isCdata?: boolean }

/** A start tag, an end tag, or a text, with the name of the element. A problem is the last part. */
export type XmlPart =
  | { kind: 'start'; name: string; attributes: ReadonlyMap<string, XmlText> }
  | ({ kind: 'text'; name: string } & XmlText)
  | { kind: 'end'; name: string }
  | { kind: 'problem'; message: string; start: number }

/** Reads XML without namespaces. Short entities of a DOCTYPE are replaced in attributes, as old Illustrator files need. */
export function* readXml(xml: string): Generator<XmlPart> {
  let parts: XmlPart[] = []
  const parser = partParser(xml, part => parts.push(part))
  for (let at = 0; at <= xml.length; at += CHUNK) {
    parser.write(xml.slice(at, at + CHUNK))
    if (at + CHUNK > xml.length) parser.close()
    for (const part of parts) {
      yield part
      if (part.kind === 'problem') return
    }
    parts = []
  }
}

const CHUNK = 1 << 16
const MAX_DEPTH = 10_000
/** An entity without markup or other entities (XML 1.0 §4.2). */
const ENTITY = /<!ENTITY\s+([a-z][\w.-]*)\s+["']([^"'&%<]{0,300})["']\s*>/gi

function partParser(xml: string, add: (part: XmlPart) => void): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, position: true })
  const path: string[] = []
  let attributes = new Map<string, XmlText>()
  /** The offset after the last markup; the event of a comment comes before its `>`. */
  let [past, hasDoctype] = [0, false]
  const pass = () => {
    past = parser.position + (xml[parser.position - 1] === '>' ? 0 : 1)
  }
  const fail = (message: string) => add({ kind: 'problem', message, start: Math.max(0, parser.position - 1) })
  parser.on('error', ({ message }) => {
    if (hasDoctype && message.includes('undefined entity')) return
    fail(`is not well-formed XML: ${message.replace(/^\d+:\d+: |\.$/g, '').slice(0, 100)}`)
  })
  parser.on('xmldecl', pass)
  parser.on('doctype', doctype => {
    hasDoctype = true
    for (const [, name = '', value = ''] of doctype.matchAll(ENTITY)) parser.ENTITIES[name] = value
    pass()
  })
  parser.on('processinginstruction', pass)
  parser.on('comment', pass)
  parser.on('attribute', ({ name, value }) => {
    const end = parser.position - 1
    attributes.set(name, { value, start: xml.lastIndexOf(xml[end] ?? '', end - 1) + 1, end })
  })
  parser.on('opentag', ({ name }) => {
    pass()
    if (path.push(name) > MAX_DEPTH) fail(`has more than ${MAX_DEPTH} elements inside each other: simplify it`)
    add({ kind: 'start', name, attributes })
    attributes = new Map()
  })
  parser.on('closetag', ({ name }) => {
    pass()
    path.pop()
    add({ kind: 'end', name })
  })
  parser.on('text', value => {
    const [name, start] = [path.at(-1), past]
    past = parser.position - 1
    if (name !== undefined) add({ kind: 'text', name, value, start, end: past })
  })
  parser.on('cdata', value => {
    const [name = '', start] = [path.at(-1), past + '<![CDATA['.length]
    pass()
    add({ kind: 'text', name, value, start, end: past - ']]>'.length, isCdata: true })
  })
  return parser
}
