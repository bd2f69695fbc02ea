import { type BrandFile, folderOf, isPicture } from '../../brand/file.ts'
import { libraryOf } from '../../serving/publications/library.ts'
import type { Guide, Section } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { hasThumbnail, pictureSource } from '../thumbnails/thumbnail.ts'
import { previewOf } from './files/file-kind.ts'
import { isLight } from './files/library-item.ts'
import { guideFonts, sampleFace } from './type/faces/guide-fonts.ts'
import { fontSample, fontSamples } from './type/font-sample.ts'
import { faceClass } from './type/specimen/specimen-classes.ts'

/** The preview of each section on the home page of a guide. */
export const HOME_PREVIEWS: Readonly<Record<Section, (guide: Guide) => Promise<Html>>> = {
  colors: colorsPreview,
  type: typePreview,
  files: filesPreview,
}

async function colorsPreview({ publication, words }: Guide): Promise<Html> {
  const colors = await publication.content.colors()
  const drawn = colors.slice(0, MAX_BARS)
  const bars = drawn.map(({ hex }, at) => html`<rect x="${at}" width="1" height="1" fill="${hex}"/>`)
  const box = html`viewBox="0 0 ${drawn.length} 1" preserveAspectRatio="none"`
  return html`<p>${words.colors.count({ count: colors.length })}</p><svg class="bars" ${box} aria-hidden="true">${bars}</svg>`
}

const MAX_BARS = 12

async function typePreview(guide: Guide): Promise<Html> {
  const { publication, words } = guide
  const [types, fonts] = await Promise.all([publication.content.types(), guideFonts(guide)])
  const given = types.flatMap(({ family }) => (family === undefined ? [] : [family]))
  const families = [...new Set([...given, ...fonts.faces.map(({ family }) => family)])]
  const face = await sampleFace(guide)
  // If the fonts are missing, the letters are in the website font.
  const font = face && html` ${faceClass(face)}`
  const sample = face ? (await fontSamples(guide, [face.file])).sampleOf(face.file) : fontSample([])
  const letters = html`<svg class="letter${font}" fill="currentColor" aria-hidden="true"><text y="40">${sample.short}</text></svg>`
  const counts = [
    ...(types.length > 0 ? [words.type.count({ count: types.length })] : []),
    ...families.slice(0, MAX_FAMILIES),
  ]
  const note = !face && families.length > 0 && html`<p class="quiet">${words.specimen.noFonts}</p>`
  return html`<p>${counts.map((count, at) => html`${at > 0 && words.comma}<bdi>${count}</bdi>`)}</p>${note}${letters}`
}

const MAX_FAMILIES = 3

async function filesPreview(guide: Guide): Promise<Html> {
  const { files, groups } = await libraryOf(guide.publication.content)
  const pictures = differentPictures(files.values()).map(
    file =>
      html`<img${file.ground !== undefined && html` class="ground-${file.ground}"`} ${pictureSource(guide, file)} width="72" height="48" alt="" loading="lazy">`,
  )
  return html`<p>${guide.words.files.count({ count: groups.length })}</p>${pictures.length > 0 && html`<div class="thumbs">${pictures}</div>`}`
}

/** Small pictures from as many folders as possible, the first of each. */
function differentPictures(files: Iterable<BrandFile>): BrandFile[] {
  const firsts = new Map<string, BrandFile>()
  const others: BrandFile[] = []
  for (const file of files) {
    if (firsts.size === MAX_PICTURES) break
    if ((file.size > MAX_BYTES && !hasThumbnail(file)) || previewOf(file)?.kind !== 'picture') continue
    // The details of an illustration are too small here, and a white logo needs another background.
    if (!isPicture(file) || file.path.startsWith('pages/') || isLight(file)) continue
    const folder = folderOf(file.path)
    if (!firsts.has(folder)) firsts.set(folder, file)
    else if (others.length < MAX_PICTURES) others.push(file)
  }
  return [...firsts.values(), ...others].slice(0, MAX_PICTURES)
}

const MAX_PICTURES = 4
const MAX_BYTES = 100_000
