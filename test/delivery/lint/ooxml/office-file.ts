import { crc32, deflateRawSync } from 'node:zlib'
import { readOffice } from '#delivery/lint/ooxml/read-office.ts'
import type { Use } from '#delivery/lint/use.ts'

/** A zip file of these parts. `flags` are the general purpose flags of all entries: 1 says that they are encrypted. */
export function zipOf(parts: Readonly<Record<string, string | Uint8Array>>, flags = 0): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []]
  const made = new Map<string | Uint8Array, ReturnType<typeof pack>>()
  let offset = 0
  for (const [path, content] of Object.entries(parts)) {
    const name = Buffer.from(path)
    const { packed, sum, length } = made.get(content) ?? pack(content)
    made.set(content, { packed, sum, length })
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(flags, 2)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(sum, 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(length, 18)
    about.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    files.push(Buffer.from('PK\x03\x04'), about, name, packed)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), about, place, name)
    offset += 4 + about.length + name.length + packed.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(Object.keys(parts).length, 8)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, entries, end])
}

/** A packed part; equal parts of a file are packed once. */
function pack(content: string | Uint8Array): { packed: Buffer; sum: number; length: number } {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { packed: deflateRawSync(bytes, { level: 1 }), sum: crc32(bytes), length: bytes.length }
}

/** Relationships: id, type, target. A fourth item is the mode. */
export function rels(...items: readonly (readonly [string, string, string, string?])[]): string {
  const all = items.map(
    ([id, type, target, mode]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/relationships/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
/** The namespaces of the root elements. */
export const NAMES = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

export const THEME = `<?xml version="1.0"?><a:theme ${NAMES}><a:themeElements><a:clrScheme name="x"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="1D70B8"/></a:accent1><a:hlink><a:srgbClr val="0000EE"/></a:hlink></a:clrScheme><a:fontScheme name="x"><a:majorFont><a:latin typeface="Big"/></a:majorFont><a:minorFont><a:latin typeface="Small"/></a:minorFont></a:fontScheme><a:fmtScheme><a:fillStyleLst><a:solidFill><a:schemeClr val="phClr"/></a:solidFill><a:solidFill><a:schemeClr val="phClr"><a:tint val="50000"/></a:schemeClr></a:solidFill></a:fillStyleLst><a:lnStyleLst><a:ln w="1"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln></a:lnStyleLst></a:fmtScheme></a:themeElements></a:theme>`

/** The parts of a deck with these slides, each the content of a shape tree. */
export function deckOf(...slides: readonly string[]): Record<string, string> {
  const parts: Record<string, string> = {
    '_rels/.rels': rels(['rId1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation ${NAMES}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`).join('')}</p:sldIdLst><p:notesSz cx="1" cy="1"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': rels(
      ...slides.map((_, index): [string, string, string] => [`s${index}`, 'slide', `slides/slide${index}.xml`]),
    ),
    'ppt/slideLayouts/l.xml': `<p:sldLayout ${NAMES}><p:cSld/><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`,
    'ppt/slideLayouts/_rels/l.xml.rels': rels(['rId1', 'slideMaster', '/ppt/slideMasters/m.xml']),
    'ppt/slideMasters/m.xml': `<p:sldMaster ${NAMES}><p:clrMap bg1="lt1" tx1="dk1"/></p:sldMaster>`,
    'ppt/slideMasters/_rels/m.xml.rels': rels(
      ['rId1', 'theme', '../theme/t.xml'],
      ['rId2', 'slideLayout', '../slideLayouts/l.xml'],
    ),
    'ppt/theme/t.xml': THEME,
  }
  for (const [index, content] of slides.entries()) {
    parts[`ppt/slides/slide${index}.xml`] = `<p:sld ${NAMES}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`
    parts[`ppt/slides/_rels/slide${index}.xml.rels`] = rels(
      ['rId1', 'slideLayout', '../slideLayouts/l.xml'],
      ['rId2', 'image', '../media/logo.svg'],
      ['rId3', 'image', 'https://example.com/logo.png', 'External'],
      ['rId4', 'image', '../../../etc/passwd'],
    )
  }
  return parts
}

/** A shape with these properties and runs. */
export function shape(properties: string, runs: string, name = 'Box'): string {
  const body = runs && `<p:txBody><a:bodyPr/><a:lstStyle/><a:p>${runs}</a:p></p:txBody>`
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="${name}"/></p:nvSpPr><p:spPr>${properties}</p:spPr>${body}</p:sp>`
}

/** The parts of a Word document. */
export function documentOf(body: string, styles = ''): Record<string, string> {
  return {
    '_rels/.rels': rels(['rId1', 'officeDocument', '/word/document.xml']),
    'word/document.xml': `<w:document ${NAMES}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    'word/_rels/document.xml.rels': rels(
      ['rId1', 'styles', 'styles.xml'],
      ['rId2', 'theme', 'theme/theme1.xml'],
      ['rId3', 'header', 'header1.xml'],
    ),
    'word/styles.xml': `<w:styles ${NAMES}>${styles}</w:styles>`,
    'word/theme/theme1.xml': THEME,
    'word/header1.xml': `<w:hdr ${NAMES}><w:p><w:r><w:t>Top</w:t></w:r></w:p></w:hdr>`,
  }
}

/** All uses of a file. */
export async function usesOf(bytes: Uint8Array): Promise<Use[]> {
  return [...(await readOffice(bytes))]
}
