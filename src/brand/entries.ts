import { textOrder } from '../base/text.ts'
import type { Color } from './color.ts'
import type { BrandFile } from './file.ts'
import type { Page } from './page.ts'
import type { TypeStyle } from './type-style.ts'

/* Every entry is written out field by field, since the order of its keys is a part of the hash of a snapshot. */

/** A page as a snapshot holds it. */
export function pageEntry({ id, name, description, content, links }: Page): Page {
  return { id, name, ...(description !== undefined && { description }), content, links: links.map(linkEntry) }
}

/** A colour as a snapshot holds it. */
export function colorEntry({ id, name, rgb, cmyk, hex, pms, pms2, ral }: Color): Color {
  return {
    id,
    name,
    rgb,
    ...(cmyk !== undefined && { cmyk }),
    hex,
    ...(pms !== undefined && { pms }),
    ...(pms2 !== undefined && { pms2 }),
    ...(ral !== undefined && { ral }),
  }
}

/** A type style as a snapshot holds it. */
export function typeEntry(type: TypeStyle): TypeStyle {
  const { id, name, family, size, leading, tracking, casing, spacing, responsive, features } = type
  return {
    id,
    name,
    ...(family !== undefined && { family }),
    ...(size !== undefined && { size }),
    ...(leading !== undefined && { leading }),
    ...(tracking !== undefined && { tracking }),
    casing,
    ...(spacing !== undefined && { spacing }),
    responsive,
    features: Object.fromEntries(Object.entries(features).sort(([a], [b]) => textOrder(a, b))),
  }
}

/** A file as a snapshot holds it. */
export function fileEntry({ path, size, contentType, hash, metadata }: BrandFile): BrandFile {
  return { path, size, contentType, hash, ...(metadata && { metadata: metadataEntry(metadata) }) }
}

function linkEntry({ start, end, to }: Page['links'][number]): Page['links'][number] {
  return { start, end, to: to.page === undefined ? { file: to.file } : { page: to.page } }
}

const METADATA = ['family', 'subFamily', 'weight', 'style', 'width', 'height', 'description']

function metadataEntry(metadata: NonNullable<BrandFile['metadata']>): NonNullable<BrandFile['metadata']> {
  const fields = Object.entries(metadata).filter(([, value]) => value !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => METADATA.indexOf(a) - METADATA.indexOf(b)))
}
