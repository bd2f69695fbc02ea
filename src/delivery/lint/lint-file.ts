import { dirname, join } from 'node:path/posix'
import { isVariable } from '#formats/css/variables.ts'
import { isDecoderCrash } from '#formats/font/unpack-font.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf } from '#platform/base/text.ts'
import { readCss } from './css/read-css.ts'
import { collectVariables } from './css/variables.ts'
import { type BinaryKind, isBinary, type LintKind } from './file-kind.ts'
import { ignoredLines } from './ignore.ts'
import { createJudge, type Judge, type Judgement, type VariableUse } from './judge/judge.ts'
import type { LintBrand } from './lint-brand.ts'
import { readHtml } from './markup/html.ts'
import { readMarkdown } from './markup/markdown.ts'
import { readSvg } from './markup/svg.ts'
import { fileHashes } from './markup/svg-drawing.ts'
import { readOffice } from './ooxml/read-office.ts'
import { readPdf } from './pdf/read-pdf.ts'
import { readTokens } from './read-tokens.ts'
import { decodedPart, NO_SHEETS, type Sheets, type SourceText, sourceOf } from './source.ts'
import type { FileUse, Use } from './use.ts'

/** A file to read. `path` is relative to the folder that style sheets may be in, with `/`. */
export type LintTask = {
  path: string
  /** A picture is only measured. */
  kind: LintKind | 'picture'
  brand: LintBrand
  /** The sheets that it asked for, by path in the folder; null if there is none. Absent if no links are followed. */
  sheets?: ReadonlyMap<string, string | null>
  /** What a PDF is made for. Absent: the file decides. */
  purpose?: 'print' | 'screen'
}

/** The messages to the process: the bytes of a file, and then the task. */
export type LintMessage = { bytes: Uint8Array } | LintTask

/** What a file says; the file itself is the first of the files in it. Only CSS, SCSS, SVG and tokens have edits. */
export type LintAnswer = Judgement & {
  /** Whether it was read: other JSON is not. */
  isRead: boolean
  /** Paths of sheets that it needs, too; then the file is to be read again with them, and has no findings yet. */
  needs: readonly string[]
}

/**
 * Reads a file and judges its uses; a picture is only measured. The reader of its kind yields uses one by one, and the judge
 * takes them as they come, so that no list of all uses is made.
 */
export async function lintFile(bytes: Uint8Array, task: LintTask): Promise<LintAnswer> {
  const { path, kind, brand, sheets, purpose } = task
  if (kind === 'picture') return measurePicture(bytes)
  const needs = new Set<string>()
  const judge = judgeOf(brand)
  // Undefined for binary kinds, and for a file that should be text and is not.
  const text = isBinary(kind) ? undefined : decodeText(bytes)
  const isRead = kind !== 'json' || TOKENS_OR_MANIFEST.test(text ?? '')
  const opened = sheets ? openedSheets(path, sheets, needs) : NO_SHEETS
  const read = () => (isBinary(kind) ? BINARY_READERS[kind](bytes, purpose) : textUses(kind, text, opened))
  const uses = isRead ? await read() : []
  // A file that needs other sheets is read again with them, so nothing is judged now. `needs` is complete at the first use,
  // because readers open all sheets before they yield one.
  const usesWithSheets = Iterator.from(uses).filter(() => needs.size === 0)
  const judged = judge(usesWithSheets, {
    path,
    variables: text === undefined ? 'none' : variablesIn(text, kind, brand),
    wantsEdits: FIXED_KINDS.has(kind),
    ignored: ignoredLines(COMMENTED_KINDS.has(kind) ? (text ?? '') : ''),
  })
  const self: FileUse = { kind: 'file', name: path, ...fileHashes(bytes, kind === 'svg') }
  const pictures = judged.pictures.flatMap(picture => {
    const address = sheets && sheetPath(path, picture.address)
    return address === undefined ? [] : [{ ...picture, address }]
  })
  return { ...judged, isRead, files: [self, ...judged.files], pictures, needs: [...needs] }
}

/** Measures a picture. A decoder that crashed cannot run again, so that the process has to end. */
async function measurePicture(bytes: Uint8Array): Promise<LintAnswer> {
  const { measureSilhouette } = await import('#brand/pictures/silhouette.ts')
  const ink = await measureSilhouette(bytes).catch(error => {
    if (isDecoderCrash(error)) throw error
    return undefined
  })
  const file: FileUse = { kind: 'file', name: '', hash: '', ...withoutUndefined({ ink }) }
  return { findings: [], edits: [], left: [], files: [file], pictures: [], needs: [], isRead: false }
}

/**
 * A key of design tokens (`"$value":`) or of a web manifest (`"theme_color":`). Style Dictionary 3 and Tokens Studio have
 * keys without a dollar sign, and a `"type": "color"`.
 */
const TOKENS_OR_MANIFEST = /"(?:\$value|theme_color|background_color)"\s*:|"type"\s*:\s*"(?:color|typography)"/

let latest: { key: string; judge: Judge } | undefined

/** The judge for a brand. Most files of a process have the same brand, which comes with each of them. */
function judgeOf(brand: LintBrand): Judge {
  const key = JSON.stringify(brand)
  if (latest?.key !== key) latest = { key, judge: createJudge(brand) }
  return latest.judge
}

/** The kinds whose colours a fix may replace. */
const FIXED_KINDS: ReadonlySet<LintKind> = new Set(['css', 'scss', 'svg', 'tokens', 'json'])

const BINARY_READERS = { office: readOffice, pdf: readPdf } as const satisfies Record<BinaryKind, unknown>

function textUses(kind: Exclude<LintKind, BinaryKind>, text: string | undefined, sheets: Sheets): Iterable<Use> {
  return text === undefined ? [{ kind: 'unreadable', message: NOT_TEXT }] : TEXT_READERS[kind](sourceOf(text), sheets)
}

/**
 * Yields uses, then the colours of SVGs in `data:` addresses. The colours of a mask are not visible, so drawings in
 * properties such as `mask-image`, or in variables that only those use, are left out.
 */
function* withDrawings(source: SourceText, uses: Iterable<Use>): Generator<Use> {
  yield* uses
  const masks = maskVariables(source.text)
  for (const { index, groups: { kind, data = '' } = {} } of source.text.matchAll(DATA_SVG)) {
    const before = source.text.slice(Math.max(0, index - 300), index)
    // The declaration before the address: `mask-image` in `mask-image: url(`.
    const property = groupsOf(/(?<![\w$-])([\w$-]+)\s*:[^:;{}]*$/, before)[1] ?? ''
    if (property.includes('mask') || masks.has(property)) continue
    const svg = kind?.endsWith('base64')
      ? Buffer.from(data, 'base64').toString()
      : decodePercent(data.replace(/\\(.)/gs, '$1'))
    for (const use of readSvg(decodedPart(svg, source, index), NO_SHEETS))
      if (use.kind === 'color') yield isVariable(property) ? { ...use, role: 'definition' } : use
  }
}

/** The variables that only properties of masks use, such as `--icon` in `mask: var(--icon)`. */
function maskVariables(text: string): Set<string> {
  const masks = new Set<string>()
  const others = new Set<string>()
  for (const [, property = '', name = ''] of text.matchAll(VARIABLE_USE))
    (property.includes('mask') ? masks : others).add(name)
  return masks.difference(others)
}

/** A property whose value has a variable: `mask: var(--icon)`, as the property and the variable. */
const VARIABLE_USE = /(?<![\w-])([\w-]{1,60})\s{0,9}:[^:;{}]{0,200}?var\(\s{0,9}(--[\w-]{1,100})/g

/** An SVG in an address, in quotes or in brackets: `url("data:image/svg+xml;base64,PHN2Zy…")`. */
const DATA_SVG = new RegExp(
  [`"`, `'`, ')']
    // The alternative for addresses that end with this character. JavaScript allows equal group names in alternatives.
    .map(end => {
      const start = end === ')' ? '\\(\\s{0,9}' : end
      return `(?<=${start})data:image/svg\\+xml(?<kind>[^,${end}]{0,40}),(?<data>(?:[^\\\\${end}]|\\\\.)*)`
    })
    .join('|'),
  'gis',
)

function decodePercent(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, bytes => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
}

const TEXT_READERS: Readonly<
  Record<Exclude<LintKind, BinaryKind>, (source: SourceText, sheets: Sheets) => Iterable<Use>>
> = {
  css: (source, sheets) => withDrawings(source, readSheet(source, 'css', sheets)),
  scss: (source, sheets) => withDrawings(source, readSheet(source, 'scss', sheets)),
  html: (source, sheets) => withDrawings(source, readHtml(source, sheets)),
  svg: readSvg,
  markdown: readMarkdown,
  text: ({ text, at }) => [{ kind: 'words', text, at }],
  tokens: readTokens,
  json: readTokens,
}

function readSheet(source: SourceText, syntax: 'css' | 'scss', sheets: Sheets): Iterable<Use> {
  // Most sheets use no variables, and need no second reading.
  const hasVariables = /var\(|\$|@font-face|:root|\bhtml\b/i.test(source.text)
  const variables = hasVariables ? collectVariables([{ text: source.text, syntax, sheets }]) : new Map()
  return readCss(source, { syntax, variables })
}

/** The kinds whose comments may name what to ignore. */
const COMMENTED_KINDS: ReadonlySet<LintKind> = new Set(['css', 'scss', 'html', 'svg'])

const NOT_TEXT = 'is not text in UTF-8, or in UTF-16 with a byte order mark: save it as UTF-8'

/**
 * The sheets of a file that the task has; adds the paths of the others to `needs`. Each is opened once, so that sheets that
 * import each other end.
 */
function openedSheets(path: string, given: NonNullable<LintTask['sheets']>, needs: Set<string>): Sheets {
  const opened = new Set([path])
  /** The sheets whose addresses are relative to a file. */
  const sheetsFrom = (base: string): Sheets => ({
    open: address => {
      const target = sheetPath(base, address)
      if (target === undefined || opened.has(target)) return undefined
      // Null if the linter asked for this sheet, and there is none.
      const text = given.get(target)
      if (text === undefined) needs.add(target)
      if (typeof text !== 'string') return undefined
      opened.add(target)
      return { text, sheets: sheetsFrom(target) }
    },
  })
  return sheetsFrom(path)
}

/**
 * The path of a linked sheet or picture, relative to the folder of all files: `css/site.css` for `../css/site.css` in
 * `pages/index.html`; undefined if it is on another host or outside of the folder.
 */
function sheetPath(base: string, address: string): string | undefined {
  // An address without host and scheme, up to its query or fragment.
  const path = groupsOf(/^(?!\/\/|[a-z][a-z0-9+.-]*:)[^?#]+/i, address.trim())[0]
  if (path === undefined) return undefined
  const decoded = decodePercent(path)
  const joined = decoded.startsWith('/') ? join('.', decoded) : join(dirname(base), decoded)
  // A path with a null byte or a backslash could mean another file to the system.
  return joined.startsWith('..') || /[\0\\]/.test(joined) ? undefined : joined.replace(/^\/+/, '')
}

/** Whether a file may use the variables of the brand, which `export --to css` names, and whether it does already. */
function variablesIn(text: string, kind: LintKind, { colors }: LintBrand): VariableUse {
  if (kind === 'html') return 'possible'
  if (kind !== 'css' && kind !== 'scss') return 'none'
  const ids = new Set(colors.map(({ id }) => id))
  const isUsed = text.matchAll(/var\(\s*--color-([\w-]{1,100})/g).some(([, id = '']) => ids.has(id))
  return isUsed ? 'used' : 'possible'
}
