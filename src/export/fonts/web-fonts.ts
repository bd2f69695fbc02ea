import { type BrandFile, type FontMetadata, filename, isFont } from '../../brand/file.ts'
import type { FontFacts } from '../../fonts/font-facts.ts'
import { usableFiles } from '../../serving/publications/library.ts'
import type { ExportSource } from '../format.ts'
import { describeOmission } from '../omissions.ts'
import { FORMATS_BY_SIZE, type FontFace, familiesOf, fontFaces, type WeightRange, weightsOf } from './font-faces.ts'

/** A font in all its formats, as style sheets need it. */
export type WebFont = {
  family: string
  weights: WeightRange
  /** The value of `font-stretch`, if it is not the regular width. */
  stretch: string | undefined
  style: FontMetadata['style']
  /** The smallest format first. */
  files: readonly BrandFile[]
  facts: FontFacts | undefined
  /** Whether it has only some of the characters, so that its family contains others. */
  isPart: boolean
}

/** The fonts of a project that a style sheet can use, by family, and a sentence for each kind that it cannot. */
export async function webFonts({
  publication,
  fontFacts,
}: Pick<ExportSource, 'publication' | 'fontFacts'>): Promise<{ fonts: readonly WebFont[]; leftOut: string[] }> {
  const files = await usableFiles(publication.content)
  const fonts = Array.from(files.values()).filter(isFont)
  const expired = (await publication.content.files()).values().filter(file => isFont(file) && !files.has(file.path))
  const faces = fontFaces(fonts)
  const collections = fonts.filter(isCollection)
  const usable = faces.filter(({ file }) => !isCollection(file))
  const unread = fonts.filter(file => !file.metadata && !isCollection(file))
  const beyond = usable.slice(MAX_FONTS)
  const read: ReadFace[] = []
  for (const face of usable.slice(0, MAX_FONTS)) read.push({ face, facts: await fontFacts(face.file) })
  const leftOut = [
    ...describeOmission('font', Array.from(expired, pathOf), 'the right to use it has ended'),
    ...describeOmission(
      'font collection',
      collections.map(pathOf),
      'browsers do not load font collections; export each font as its own file',
    ),
    ...describeOmission('font', unread.map(pathOf), 'their metadata cannot be read'),
    ...describeOmission(
      'font',
      beyond.map(({ file }) => file.path),
      `a sheet contains only the first ${MAX_FONTS} fonts`,
    ),
  ]
  return { fonts: groupFormats(read), leftOut }
}

/** Each font needs a separate process, so a project with very many fonts would take minutes. */
const MAX_FONTS = 200

type ReadFace = { face: FontFace; facts: FontFacts | undefined }

function isCollection({ contentType }: BrandFile): boolean {
  return contentType === 'font/collection'
}

function pathOf({ path }: BrandFile): string {
  return path
}

/**
 * Groups the formats of each font: files with the same name and the same metadata. Two files in the same format are two
 * fonts. Families are in the order of their first files, and their fonts in the order of `familiesOf`.
 */
function groupFormats(read: readonly ReadFace[]): WebFont[] {
  const ordered = Array.from(familiesOf(read.map(({ face }) => face)).values()).flat()
  const places = new Map(ordered.map((face, at) => [face, at]))
  const inOrder = [...read].sort((a, b) => (places.get(a.face) ?? 0) - (places.get(b.face) ?? 0))
  const cuts = Map.groupBy(inOrder, ({ face, facts }) =>
    JSON.stringify([face.family, weightsOf(face, facts), stretchOf(face, facts), face.metadata.style ?? 'normal']),
  )
  return Array.from(cuts.values()).flatMap(faces => {
    const formats = Array.from(Map.groupBy(faces, formatKeys()).values())
    return formats.flatMap(group => webFont(group, formats.length > 1))
  })
}

/** A key for the formats of one font: the file name, and the number of earlier files with the same name and format. */
function formatKeys(): (read: ReadFace) => string {
  const counts = new Map<string, number>()
  return ({ face: { file } }) => {
    const name = stem(file).toLowerCase()
    const key = JSON.stringify([name, file.contentType])
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return JSON.stringify([name, before])
  }
}

function webFont(group: readonly ReadFace[], isOneOfMany: boolean): WebFont[] {
  const formats = group.toSorted((a, b) => place(a.face) - place(b.face))
  const [first] = formats
  if (!first) return []
  const { face, facts } = first
  return [
    {
      family: face.family,
      weights: weightsOf(face, facts),
      stretch: stretchOf(face, facts),
      style: face.metadata.style,
      files: formats.map(({ face }) => face.file),
      facts,
      isPart: isOneOfMany || PART.test(stem(face.file)) || PART.test(face.metadata.subFamily ?? ''),
    },
  ]
}

function place({ file }: FontFace): number {
  return FORMATS_BY_SIZE.indexOf(file.contentType)
}

/** Words in font names that mark a part of the characters, such as `Inter-Regular-Latin1`. */
const PART =
  /(?:^|[^a-z])(?:subset|latin|cyrillic|greek|vietnamese|hebrew|arabic|devanagari|bengali|tamil|thai|hangul|kana|han|symbols?|math|pi)(?:[-_ ]?(?:ext(?:ended)?|pro|plus|\d+))?(?![a-z])/i

/** The file name without its extension. */
function stem({ path }: BrandFile): string {
  return filename(path).replace(/\.[^.]*$/, '')
}

/** The widths of a variable font, otherwise the width in its name. */
function stretchOf({ metadata }: FontFace, facts: FontFacts | undefined): string | undefined {
  const axis = facts?.axes.find(({ tag }) => tag === 'wdth')
  if (axis && axis.max > axis.min) return `${round(axis.min)}% ${round(axis.max)}%`
  const word = WIDTH.exec(metadata.subFamily ?? '')?.groups
  return word && WIDTHS.get(`${word.much ?? ''}${word.kind}`.toLowerCase().replace(/[- ]/g, ''))
}

const WIDTH = /\b(?<much>ultra|extra|semi)?[- ]?(?<kind>condensed|expanded)\b/i

/** OpenType, OS/2 usWidthClass; CSS Fonts 4 §2.3. */
const WIDTHS: ReadonlyMap<string, string> = new Map([
  ['ultracondensed', '50%'],
  ['extracondensed', '62.5%'],
  ['condensed', '75%'],
  ['semicondensed', '87.5%'],
  ['semiexpanded', '112.5%'],
  ['expanded', '125%'],
  ['extraexpanded', '150%'],
  ['ultraexpanded', '200%'],
])

function round(value: number): number {
  return Math.round(value * 100) / 100
}
