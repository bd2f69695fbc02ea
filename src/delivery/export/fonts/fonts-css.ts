import { type BrandFile, filename, folderOf, isFont } from '#brand/file.ts'
import { cutKey, formatStem, isSameText, type Letters, partNamed, slopesOf, stretchOf } from '#brand/fonts/font-cuts.ts'
import { assignCopyNames } from '#brand/portable-paths.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { scriptsOf } from '#formats/font/scripts.ts'
import { failed, ok } from '#platform/base/result.ts'
import { anyOf, wordsIn } from '#platform/base/text.ts'
import { usableFiles } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { describeOmission, type ExportSource, headLines, type MakeExport, shorten, textFile } from '../format.ts'
import { cssComment } from '../style-sheets/css-text.ts'
import {
  FORMATS_BY_SIZE,
  type FontFace,
  faceDescriptors,
  familiesOf,
  fontFaces,
  unicodeRange,
  type WeightRange,
  weightsOf,
} from './font-faces.ts'

/** A rule for each font. With `copy`, the fonts are next to the sheet, which otherwise has their addresses or paths. */
export const fontsCss: MakeExport = async source => {
  const { fonts, leftOut: unusableFonts } = await webFonts(source)
  if (fonts.length === 0) return failed(unusableFonts[0] ?? NO_FONTS)
  const copies = source.options.copy === true ? await copiesOf(source, fonts) : undefined
  const leftOut = source.urls || copies ? unusableFonts : [...unusableFonts, NO_ADDRESSES]
  const head = headLines(source, leftOut)
  const address = addressOf(source, copies)
  const fontsByFamily = Map.groupBy(fonts, ({ family }) => family)
  // The licence of fonts in a row is written once, before the first of them.
  const rules = fonts.map((font, at) => {
    const license = licenseFacts(font)
    const previousFont = fonts[at - 1]
    const isRepeated = previousFont !== undefined && licenseFacts(previousFont) === license
    return `\n${isRepeated ? '' : license}${ruleOf(font, fontsByFamily.get(font.family) ?? [], address)}`
  })
  const files = Array.from(copies ?? [], ([content, path]) => ({ path, content }))
  return ok({ files: [textFile(SHEET, [cssComment(head), ...rules]), ...files], leftOut })
}

const SHEET = 'fonts.css'
const NO_FONTS = 'the project has no font; put its .woff2, .ttf or .otf files below files/'
const NO_ADDRESSES =
  'addresses of the fonts: a draft has none, so the sheet contains their paths in the project; to copy them next to the sheet, add --copy'

/** The fonts and their licence files, each with its name next to the sheet. */
async function copiesOf(
  { publication }: Pick<ExportSource, 'publication'>,
  fonts: readonly WebFont[],
): Promise<ReadonlyMap<BrandFile, string>> {
  const used = fonts.flatMap(({ files }) => files)
  return assignCopyNames([...used, ...(await licencesOf(publication, used))], [SHEET])
}

/** The licence files next to fonts. */
export async function licencesOf({ content }: Publication, fonts: readonly BrandFile[]): Promise<BrandFile[]> {
  const folders = new Set(fonts.map(({ path }) => folderOf(path)))
  const files = Array.from((await usableFiles(content)).values())
  return files.filter(({ path }) => folders.has(folderOf(path)) && LICENCE.test(filename(path)))
}

/** As in `OFL.txt`, `Licence-Nord.pdf` and `COPYING`. */
const LICENCE = (() => {
  const names = anyOf(wordsIn('ofl, eula, copying, licence, license, fontlog, notice'))
  const types = anyOf(wordsIn('txt, md, htm, html, pdf'))
  return new RegExp(`^(?:${names}\\b[^/]*\\.${types}|copying|licen[cs]e)$`, 'i')
})()

/** How the sheet names a font: by its copy next to the sheet, else its address, else its path in the project. */
function addressOf(
  { urls, publication }: ExportSource,
  copies: ReadonlyMap<BrandFile, string> | undefined,
): (file: BrandFile) => string {
  const relative = (path: string) => path.split('/').map(encodeURIComponent).join('/')
  return file => {
    const copy = copies?.get(file)
    if (copy !== undefined) return relative(`./${copy}`)
    return urls ? urls.file(publication.record, file) : relative(file.path)
  }
}

/** The licence in a font's metadata, as a comment; empty if it has none. */
function licenseFacts({ facts }: WebFont): string {
  const { license, licenseUrl, copyright } = facts ?? {}
  const terms = [license, licenseUrl].filter(term => term !== undefined).map(term => shorten(term, MAX_LICENCE))
  const lines = [
    ...(copyright === undefined ? [] : [shorten(copyright, MAX_LICENCE)]),
    ...(terms.length === 0 ? [] : [`licence: ${terms.join(', ')}`]),
  ]
  return lines.length === 0 ? '' : cssComment(lines)
}

const MAX_LICENCE = 300

/** The `@font-face` rules of a font: several for one with an axis for its slope. */
function ruleOf(font: WebFont, family: readonly WebFont[], addressOf: (file: BrandFile) => string): string {
  const sources = font.files.map(file => ({ address: addressOf(file), contentType: file.contentType }))
  const range = font.isPart ? unicodeRange(font.facts) : undefined
  const rules = slopesOf(font, family, font.facts?.axes, true).map(slope => {
    const descriptors = faceDescriptors({ ...font, ...slope, display: 'swap', sources, range })
    return `@font-face {\n${descriptors.map(each => `  ${each.join(': ')};\n`).join('')}}\n`
  })
  return rules.join('')
}

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
  /** Whether another font before it has the same rule. */
  isAlike: boolean
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
  const usableFaces = faces.filter(({ file }) => !isCollection(file))
  const unreadFonts = fonts.filter(file => !file.metadata && !isCollection(file))
  const beyondLimit = usableFaces.slice(MAX_FONTS).map(({ file }) => file)
  const readFaces: ReadFace[] = []
  for (const face of usableFaces.slice(0, MAX_FONTS)) readFaces.push({ face, facts: await fontFacts(face.file) })
  const readFonts = groupFormats(readFaces)
  const alikeFiles = readFonts.filter(({ isAlike }) => isAlike).flatMap(({ files }) => files)
  const leftOut = [
    ...describeOmission('font', alikeFiles.map(pathOf), 'style sheets cannot tell it apart from one before it'),
    ...describeOmission('font', Array.from(expired, pathOf), 'the right to use it has ended'),
    ...describeOmission('font collection', collections.map(pathOf), COLLECTIONS),
    ...describeOmission('font', unreadFonts.map(pathOf), 'their metadata cannot be read'),
    ...describeOmission('font', beyondLimit.map(pathOf), `a sheet contains only the first ${MAX_FONTS} fonts`),
  ]
  return { fonts: readFonts.filter(({ isAlike }) => !isAlike), leftOut }
}

const COLLECTIONS = 'browsers do not load font collections; export each font as its own file'

/** Each font needs a separate process, so a project with very many fonts would take minutes. */
const MAX_FONTS = 200

/** A font file with its facts, if it can be read. */
type ReadFace = { face: FontFace; facts: FontFacts | undefined }

function isCollection({ contentType }: BrandFile): boolean {
  return contentType === 'font/collection'
}

function pathOf({ path }: BrandFile): string {
  return path
}

/**
 * Groups files with the same name and metadata, which are formats of one font. Keeps the order of `familiesOf`. First come
 * the groups by cut: files with the same family, weights, width and style. A cut can still be several fonts, such as
 * `acme-latin.woff2` and `acme-greek.woff2`.
 */
function groupFormats(readFaces: readonly ReadFace[]): WebFont[] {
  const facesInOrder = Array.from(familiesOf(readFaces.map(({ face }) => face)).values()).flat()
  const ranks = new Map(facesInOrder.map((face, at) => [face, at]))
  const inOrder = [...readFaces].sort((a, b) => (ranks.get(a.face) ?? 0) - (ranks.get(b.face) ?? 0))
  const cuts = Map.groupBy(inOrder, ({ face, facts }) =>
    cutKey(face.family, face.metadata, weightsOf(face, facts), facts?.axes),
  )
  return Array.from(cuts.values()).flatMap(facesOfCut => {
    const fonts = Array.from(Map.groupBy(facesOfCut, formatKeys()).values())
    // Whether each font is like one before it.
    const alikeFlags = fonts.map((font, at) => fonts.slice(0, at).some(earlierFont => areAlike(earlierFont, font)))
    const isOneOfMany = alikeFlags.filter(isAlike => !isAlike).length > 1
    return fonts.flatMap((font, at) => webFont(font, { isOneOfMany, isAlike: alikeFlags[at] === true }))
  })
}

/**
 * Makes the function that gives each file the key of its font: the file name without its ending, and the number of earlier
 * files with the same name and format. So `a/acme.woff2` and `a/acme.ttf` are one font, and `b/acme.woff2` is another.
 */
function formatKeys(): (read: ReadFace) => string {
  const counts = new Map<string, number>()
  return ({ face: { file } }) => {
    const name = formatStem(file.path)
    const key = JSON.stringify([name, file.contentType])
    const earlierCount = counts.get(key) ?? 0
    counts.set(key, earlierCount + 1)
    return JSON.stringify([name, earlierCount])
  }
}

/** Whether style sheets cannot tell two fonts of a cut apart, each given as its formats. */
function areAlike([one]: readonly ReadFace[], [other]: readonly ReadFace[]): boolean {
  if (one === undefined || other === undefined) return false
  const rangesOf = ({ facts }: ReadFace) => JSON.stringify(facts?.characters.ranges)
  return rangesOf(one) === rangesOf(other) || isSameText(lettersOf(one), lettersOf(other))
}

/** The path, name and scripts of a font, which show its letters. */
function lettersOf({ face: { file, metadata }, facts }: ReadFace): Letters {
  const scripts = facts && scriptsOf(facts.characters).map(({ name }) => name)
  return { path: file.path, subFamily: metadata.subFamily, scripts }
}

/** A font by its formats, whose facts are those of the smallest format; empty without any. */
function webFont(
  group: readonly ReadFace[],
  { isOneOfMany, isAlike }: { isOneOfMany: boolean; isAlike: boolean },
): WebFont[] {
  const formats = group.toSorted((a, b) => formatRank(a.face) - formatRank(b.face))
  const [first] = formats
  if (!first) return []
  const { face, facts } = first
  return [
    {
      family: face.family,
      weights: weightsOf(face, facts),
      stretch: stretchOf(face.metadata.subFamily, facts?.axes),
      style: face.metadata.style,
      files: formats.map(({ face }) => face.file),
      facts,
      isPart: isOneOfMany || partNamed(lettersOf(first)) !== undefined,
      isAlike,
    },
  ]
}

/** The smallest format has the lowest rank. */
function formatRank({ file }: FontFace): number {
  return FORMATS_BY_SIZE.indexOf(file.contentType)
}
