import { failed, ok } from '../../base/result.ts'
import { type BrandFile, filename, folderOf } from '../../brand/file.ts'
import { usableFiles } from '../../serving/publications/library.ts'
import { assignCopyNames } from '../copy-names.ts'
import { cssComment } from '../css/css-text.ts'
import type { ExportedFile, ExportSource, MakeExport } from '../format.ts'
import { headLines } from '../head.ts'
import { faceDescriptors, unicodeRange } from './face-rule.ts'
import { type WebFont, webFonts } from './web-fonts.ts'

/**
 * An `@font-face` rule for each font. With `copy`, the fonts are next to the sheet. Otherwise the sheet contains their
 * addresses, or their paths in the project if it is not published.
 */
export const fontsCss: MakeExport = async source => {
  const { fonts, leftOut: unusable } = await webFonts(source)
  if (fonts.length === 0) return failed(unusable[0] ?? NO_FONTS)
  const copies = source.options.copy === true ? await copiesOf(source, fonts) : undefined
  const leftOut = source.urls || copies ? unusable : [...unusable, NO_ADDRESSES]
  const head = headLines(source, leftOut)
  const address = addressOf(source, copies)
  const rules = fonts.map((font, at) => {
    const rights = licenseFacts(font)
    const before = fonts[at - 1]
    const isSaid = before !== undefined && licenseFacts(before) === rights
    return `\n${isSaid ? '' : rights}${ruleOf(font, address)}`
  })
  const parts = [cssComment(head), ...rules]
  const sheet: ExportedFile = { path: SHEET, content: new TextEncoder().encode(parts.join('')) }
  const files = Array.from(copies ?? [], ([content, path]) => ({ path, content }))
  return ok({ files: [sheet, ...files], leftOut })
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
  const files = await usableFiles(publication.content)
  const used = fonts.flatMap(({ files }) => files)
  const folders = new Set(used.map(({ path }) => folderOf(path)))
  const licences = Array.from(files.values()).filter(
    ({ path }) => folders.has(folderOf(path)) && LICENCE.test(filename(path)),
  )
  return assignCopyNames([...used, ...licences], [SHEET])
}

/** Names of font licence files. */
const LICENCE =
  /^(?:ofl|eula|copying|licen[cs]e|fontlog|notice)\b[^/]*\.(?:txt|md|html?|pdf)$|^(?:copying|licen[cs]e)$/i

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
  const terms = [license, licenseUrl].flatMap(term => (term === undefined ? [] : [shorten(term)]))
  const lines = [
    ...(copyright === undefined ? [] : [shorten(copyright)]),
    ...(terms.length === 0 ? [] : [`licence: ${terms.join(', ')}`]),
  ]
  return lines.length === 0 ? '' : cssComment(lines)
}

function shorten(line: string): string {
  return line.length <= MAX_LICENCE ? line : `${line.slice(0, MAX_LICENCE).toWellFormed()}…`
}

const MAX_LICENCE = 300

function ruleOf(
  { family, weights, stretch, style, files, facts, isPart }: WebFont,
  addressOf: (file: BrandFile) => string,
): string {
  const descriptors = faceDescriptors({
    family,
    weights,
    stretch,
    style,
    display: 'swap',
    sources: files.map(file => ({ address: addressOf(file), contentType: file.contentType })),
    range: isPart ? unicodeRange(facts) : undefined,
  })
  return `@font-face {\n${descriptors.map(each => `  ${each.join(': ')};\n`).join('')}}\n`
}
