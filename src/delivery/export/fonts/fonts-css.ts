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
  const { fonts, leftOut: unusable } = await webFonts(source)
  if (fonts.length === 0) return failed(unusable[0] ?? NO_FONTS)
  const copies = source.options.copy === true ? await copiesOf(source, fonts) : undefined
  const leftOut = source.urls || copies ? unusable : [...unusable, NO_ADDRESSES]
  const head = headLines(source, leftOut)
  const address = addressOf(source, copies)
  const families = Map.groupBy(fonts, ({ family }) => family)
  const rules = fonts.map((font, at) => {
    const rights = licenseFacts(font)
    const before = fonts[at - 1]
    const isRepeated = before !== undefined && licenseFacts(before) === rights
    return `\n${isRepeated ? '' : rights}${ruleOf(font, families.get(font.family) ?? [], address)}`
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
  const usable = faces.filter(({ file }) => !isCollection(file))
  const unread = fonts.filter(file => !file.metadata && !isCollection(file))
  const beyondLimit = usable.slice(MAX_FONTS).map(({ file }) => file)
  const readFaces: ReadFace[] = []
  for (const face of usable.slice(0, MAX_FONTS)) readFaces.push({ face, facts: await fontFacts(face.file) })
  const readFonts = groupFormats(readFaces)
  const alikeFiles = readFonts.filter(({ isAlike }) => isAlike).flatMap(({ files }) => files)
  const leftOut = [
    ...describeOmission('font', alikeFiles.map(pathOf), 'style sheets cannot tell it apart from one before it'),
    ...describeOmission('font', Array.from(expired, pathOf), 'the right to use it has ended'),
    ...describeOmission('font collection', collections.map(pathOf), COLLECTIONS),
    ...describeOmission('font', unread.map(pathOf), 'their metadata cannot be read'),
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

/** Groups files with the same name and metadata, which are formats of one font. Keeps the order of `familiesOf`. */
function groupFormats(readFaces: readonly ReadFace[]): WebFont[] {
  const ordered = Array.from(familiesOf(readFaces.map(({ face }) => face)).values()).flat()
  const ranks = new Map(ordered.map((face, at) => [face, at]))
  const inOrder = [...readFaces].sort((a, b) => (ranks.get(a.face) ?? 0) - (ranks.get(b.face) ?? 0))
  // The files with the same family, weights, width and style, which can still be several fonts.
  const cuts = Map.groupBy(inOrder, ({ face, facts }) =>
    cutKey(face.family, face.metadata, weightsOf(face, facts), facts?.axes),
  )
  return Array.from(cuts.values()).flatMap(faces => {
    const fonts = Array.from(Map.groupBy(faces, formatKeys()).values())
    const isAlike = fonts.map((font, at) => fonts.slice(0, at).some(before => areAlike(before, font)))
    const isOneOfMany = isAlike.filter(isOne => !isOne).length > 1
    return fonts.flatMap((font, at) => webFont(font, { isOneOfMany, isAlike: isAlike[at] === true }))
  })
}

/** A key for the formats of one font: the file name, and the number of earlier files with the same name and format. */
function formatKeys(): (read: ReadFace) => string {
  const counts = new Map<string, number>()
  return ({ face: { file } }) => {
    const name = formatStem(file.path)
    const key = JSON.stringify([name, file.contentType])
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return JSON.stringify([name, before])
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

/** A font by its formats; empty without any. */
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
