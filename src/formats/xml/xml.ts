import { openXml, type XmlText as Text } from './parse-xml.ts'

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
  const reader = openParts(xml, part => parts.push(part))
  for (let at = 0; at <= xml.length; at += CHUNK) {
    reader.write(xml.slice(at, at + CHUNK))
    if (at + CHUNK > xml.length) reader.close()
    for (const part of parts) {
      yield part
      if (part.kind === 'problem') return
    }
    parts = []
  }
}

const CHUNK = 1 << 16
const MAX_DEPTH = 10_000
const TOO_DEEP = `has more than ${MAX_DEPTH} elements inside each other: simplify it`
/** An entity without markup or other entities (XML 1.0 §4.2). */
const ENTITY = /<!ENTITY\s+([a-z][\w.-]*)\s+["']([^"'&%<]{0,300})["']\s*>/gi

function openParts(xml: string, add: (part: XmlPart) => void) {
  let attributes = new Map<string, XmlText>()
  const fail = (message: string, start: number) => add({ kind: 'problem', message, start })
  const addText = ({ value, element, start, end }: Text, more: { isCdata?: boolean }) =>
    add({ kind: 'text', name: element.name, value, start, end, ...more })
  return openXml(
    {
      problem: ({ message, start }) => fail(`is not well-formed XML: ${message.slice(0, 100)}`, start),
      doctype: text => Object.fromEntries(Array.from(text.matchAll(ENTITY), ([, name, value]) => [name, value])),
      attribute: (name, value, end) => {
        // The quote at `end` is the same as the one before the value.
        attributes.set(name, { value, start: xml.lastIndexOf(xml[end] ?? '', end - 1) + 1, end })
      },
      open: ({ name, depth }, end) => {
        if (depth > MAX_DEPTH) fail(TOO_DEEP, end - 1)
        add({ kind: 'start', name, attributes })
        attributes = new Map()
      },
      close: ({ name }) => add({ kind: 'end', name }),
      text: text => addText(text, {}),
      cdata: text => addText(text, { isCdata: true }),
    },
    { ignoredAfterDoctype: /undefined entity/ },
  )
}
