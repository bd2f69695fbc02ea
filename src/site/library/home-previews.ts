import { pluralize } from '../../base/text.ts'
import { type BrandFile, folderOf } from '../../brand/file.ts'
import type { Guide, Section } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { previewOf } from './file-kind.ts'
import type { FontFace } from './font-faces.ts'
import { guideFonts } from './guide-fonts.ts'

/** What the home page of a guide shows of each part beside its pages. */
export const HOME_PREVIEWS: Readonly<Record<Section, (guide: Guide) => Promise<Html>>> = {
  colors: glanceAtColors,
  type: glanceAtType,
  files: glanceAtFiles,
}

async function glanceAtColors({ publication }: Guide): Promise<Html> {
  const colors = await publication.content.colors()
  const shown = colors.slice(0, MAX_BARS)
  const bars = shown.map(({ hex }, at) => html`<rect x="${at}" width="1" height="1" fill="${hex}"/>`)
  const box = html`viewBox="0 0 ${shown.length} 1" preserveAspectRatio="none"`
  return html`<p>${pluralize(colors.length, 'colour')}</p><svg class="bars" ${box} aria-hidden="true">${bars}</svg>`
}

const MAX_BARS = 12

async function glanceAtType(guide: Guide): Promise<Html> {
  const { publication } = guide
  const [types, fonts] = await Promise.all([publication.content.types(), guideFonts(guide)])
  const given = types.flatMap(({ family }) => (family === undefined ? [] : [family]))
  const families = [...new Set([...given, ...fonts.faces.map(({ family }) => family)])]
  const face = await letterFace(guide)
  const letters =
    face &&
    html`<svg class="letter face-${face.number}" fill="currentColor" aria-hidden="true"><text y="40">Aa</text></svg>`
  const counts = [...(types.length > 0 ? [pluralize(types.length, 'style')] : []), ...families.slice(0, MAX_FAMILIES)]
  return html`<p>${counts.join(', ')}</p>${letters}`
}

const MAX_FAMILIES = 3

/** The font that the first letters of a guide are shown in: that of its first type style, else its first one. */
export async function letterFace(guide: Guide): Promise<FontFace | undefined> {
  const [types, { families, regular }] = await Promise.all([guide.publication.content.types(), guideFonts(guide)])
  const style = types.find(({ family }) => family !== undefined && families.has(family))
  const [first] = families.keys()
  const family = style?.family ?? first
  return family === undefined ? undefined : regular(family)[0]
}

async function glanceAtFiles({ publication, paths }: Guide): Promise<Html> {
  const files = await publication.content.files()
  const pictures = differentPictures(files.values()).map(
    file => html`<img src="${paths.file(publication.record, file)}" width="72" height="48" alt="" loading="lazy">`,
  )
  return html`<p>${pluralize(files.size, 'file')}</p>${pictures.length > 0 && html`<div class="thumbs">${pictures}</div>`}`
}

/** Small pictures, of as many folders as there are: the first of each. */
function differentPictures(files: Iterable<BrandFile>): BrandFile[] {
  const small = [...files].filter(file => file.size <= MAX_BYTES && previewOf(file)?.kind === 'picture')
  const byFolder = Map.groupBy(small, ({ path }) => folderOf(path))
  const firsts = [...byFolder.values()].flatMap(([first]) => first ?? [])
  return [...new Set([...firsts, ...small])].slice(0, MAX_PICTURES)
}

const MAX_PICTURES = 4
const MAX_BYTES = 100_000
