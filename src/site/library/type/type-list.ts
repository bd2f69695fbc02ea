import { type BrandFile, isFont } from '#brand/file.ts'
import { slug } from '#brand/ids.ts'
import { firstFree } from '#brand/styles/tailwind-names.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import type { FontFace } from '#delivery/export/fonts/font-faces.ts'
import { typeAnchor } from '#serving/addresses.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { MAX_ENTRIES } from '../../layout/layout.ts'
import { type GuideFonts, guideFonts } from './faces/guide-fonts.ts'

/** The entries that the type page shows: type styles first, then fonts by family, then unreadable font files. */
export type TypeEntries = {
  styles: readonly TypeStyle[]
  faces: readonly FontFace[]
  unread: readonly BrandFile[]
  /** The number of all entries, of which the page may show only the first. */
  count: number
  fonts: GuideFonts
}

/** The first entries of the type page, `MAX_ENTRIES` at most, and the number of all. */
export async function typeEntries(guide: Guide): Promise<TypeEntries> {
  const { types, files } = guide.publication.content
  const fonts = await guideFonts(guide)
  const styles = await types()
  const faces = [...fonts.families.values()].flat()
  const unread = [...(await files()).values()].filter(file => isFont(file) && !file.metadata)
  const roomForFonts = Math.max(0, MAX_ENTRIES - styles.length)
  return {
    styles: styles.slice(0, MAX_ENTRIES),
    faces: faces.slice(0, roomForFonts),
    unread: unread.slice(0, Math.max(0, roomForFonts - faces.length)),
    count: styles.length + faces.length + unread.length,
    fonts,
  }
}

/** The addresses of the stages of all families, by name: of those that type styles name, then of the other fonts. */
export async function familyPaths(guide: Pick<Guide, 'site' | 'publication'>): Promise<ReadonlyMap<string, string>> {
  const types = await guide.publication.content.types()
  const { families } = await guideFonts(guide)
  const names = new Set([...types.flatMap(({ family }) => family ?? []), ...families.keys()])
  const used = new Set<string>()
  const pathOf = (name: string) => pathBelow(guide, `type/${encodeURIComponent(firstFree(slug(name) || '-', used))}`)
  return new Map(Array.from(names, name => [name, pathOf(name)]))
}

export function typePath(guide: Guide, style: TypeStyle): string {
  return `${pathBelow(guide, 'type')}#${encodeURIComponent(typeAnchor(style.id))}`
}
