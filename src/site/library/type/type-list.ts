import { type BrandFile, isFont } from '../../../brand/file.ts'
import type { TypeStyle } from '../../../brand/type-style.ts'
import type { FontFace } from '../../../export/fonts/font-faces.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type ListPage, listPage, pageQuery, pageWith } from '../../layout/pagination.ts'
import { type GuideFonts, guideFonts } from './faces/guide-fonts.ts'

/** An entry of the type list: type styles first, then fonts by family, then unreadable font files. */
export type TypeEntry =
  | { kind: 'style'; style: TypeStyle }
  | { kind: 'face'; face: FontFace }
  | { kind: 'unread'; file: BrandFile }

/** Entries per page. */
export const TYPES_ON_PAGE = 500

/** A page of the type list; undefined beyond the last one. */
export async function typePage(
  guide: Guide,
  number: number,
): Promise<{ page: ListPage<TypeEntry>; fonts: GuideFonts } | undefined> {
  const { types, files } = guide.publication.content
  const fonts = await guideFonts(guide)
  const faces = Array.from(fonts.families.values()).flat()
  const unread = Array.from((await files()).values()).filter(file => isFont(file) && !file.metadata)
  const entries: TypeEntry[] = [
    ...(await types()).map(style => ({ kind: 'style', style }) as const),
    ...faces.map(face => ({ kind: 'face', face }) as const),
    ...unread.map(file => ({ kind: 'unread', file }) as const),
  ]
  const page = listPage(entries, number, TYPES_ON_PAGE)
  return page && { page, fonts }
}

/** The path of a type style in the list. */
export function typePath(guide: Guide, types: readonly TypeStyle[], style: TypeStyle): string {
  const query = pageQuery(pageWith(Math.max(0, types.indexOf(style)), TYPES_ON_PAGE))
  return `${pathBelow(guide, 'type')}${query}#${encodeURIComponent(typeAnchor(style.id))}`
}
