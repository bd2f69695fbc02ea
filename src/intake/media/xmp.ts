import { SaxesParser } from 'saxes'

/**
 * The description in the XMP packet of a picture: the IPTC alt text, else the Dublin Core description, preferably in
 * English. The packet is found by scanning the bytes (XMP Part 1, packet wrapper), which works for all formats that do
 * not compress it.
 */
export function xmpDescription(bytes: Buffer): string | undefined {
  const start = bytes.indexOf('<x:xmpmeta')
  const end = bytes.indexOf(END, start)
  if (start < 0 || end < 0 || end - start > MAX_PACKET) return undefined
  const texts = propertiesOf(bytes.toString('utf8', start, end + END.length))
  for (const property of PROPERTIES) {
    const candidates = texts.filter(text => text.property === property && text.value.trim() !== '')
    const best = candidates.find(text => /^en\b/i.test(text.language)) ?? candidates.find(isDefault) ?? candidates[0]
    if (best) return best.value
  }
  return undefined
}

const END = '</x:xmpmeta>'
const MAX_PACKET = 1024 * 1024
const PROPERTIES = ['Iptc4xmpCore:AltTextAccessibility', 'dc:description'] as const

type Text = { property: string; language: string; value: string }

function isDefault(text: Text): boolean {
  return text.language === 'x-default'
}

/** The values of these properties: attributes of rdf:Description, or elements with one rdf:li per language. */
function propertiesOf(xml: string): Text[] {
  const texts: Text[] = []
  let property: string | null = null
  let current: Text | null = null
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('error', () => {}) // The rest can still be read after a stray character.
  parser.on('opentag', ({ name, attributes }) => {
    for (const key of PROPERTIES) {
      const value = attributes[key]
      if (value !== undefined) texts.push({ property: key, language: '', value })
      if (name === key) property = key
    }
    if (property === null || (name !== 'rdf:li' && name !== property)) return
    current = { property, language: attributes['xml:lang'] ?? '', value: '' }
    texts.push(current)
  })
  parser.on('closetag', ({ name }) => {
    if (name === property) property = null
    if (property === null || name === 'rdf:li') current = null
  })
  parser.on('text', text => {
    if (current !== null) current.value += text
  })
  parser.write(xml)
  return texts
}
