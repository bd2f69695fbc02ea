import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path/posix'
import { readCss } from './css/read-css.ts'
import type { LintKind } from './file-kind.ts'
import { decodeText } from './fix/decode.ts'
import { ignoredLines } from './ignore.ts'
import { createJudge, type Judge } from './judge/judge.ts'
import type { LintAnswer, LintTask } from './lint-task.ts'
import { readHtml } from './markup/html.ts'
import { readMarkdown } from './markup/markdown.ts'
import { readSvg } from './markup/svg.ts'
import { drawingHash } from './markup/svg-drawing.ts'
import { MAX_DRAWING_BYTES } from './old-files.ts'
import { readOffice } from './ooxml/read-office.ts'
import type { Sheets } from './sheets.ts'
import { type SourceText, sourceOf } from './source.ts'
import { isTokens, readTokens } from './tokens/read-tokens.ts'
import type { FileUse, Use } from './use.ts'

/** Compares one file with a brand. */
export async function lintFile(bytes: Uint8Array, { path, kind, brand, sheets }: LintTask): Promise<LintAnswer> {
  const needs = new Set<string>()
  const judge = judgeOf(brand)
  const text = kind === 'pptx' || kind === 'docx' ? undefined : decodeText(bytes)
  const isRead = kind !== 'json' || (text !== undefined && isTokens(path, text))
  const uses = isRead ? usesOf(bytes, kind, text, openedSheets(path, sheets, needs)) : []
  const judged = await judge(uses, {
    path,
    usesVariables: text !== undefined && usesVariables(text, kind, brand),
    wantsEdits: FIXED_KINDS.has(kind),
    ...(text?.includes('housestyle-ignore') && COMMENTED_KINDS.has(kind) && { ignored: ignoredLines(text) }),
  })
  const drawing =
    kind === 'svg' && text !== undefined && bytes.length <= MAX_DRAWING_BYTES ? drawingHash(text) : undefined
  const self: FileUse = { kind: 'file', name: path, hash: sha256(bytes), ...(drawing !== undefined && { drawing }) }
  return { ...judged, isRead, files: [self, ...judged.files], needs: [...needs] }
}

let latest: { key: string; judge: Judge } | undefined

/** The judge for a brand. Most files of a process have the same brand, which comes with each of them. */
function judgeOf(brand: LintTask['brand']): Judge {
  const key = JSON.stringify(brand)
  if (latest?.key !== key) latest = { key, judge: createJudge(brand) }
  return latest.judge
}

/** The kinds whose colours a fix may replace. */
const FIXED_KINDS: ReadonlySet<LintKind> = new Set(['css', 'scss', 'svg', 'tokens', 'json'])

function usesOf(
  bytes: Uint8Array,
  kind: LintKind,
  text: string | undefined,
  sheets: Sheets,
): Iterable<Use> | AsyncIterable<Use> {
  if (kind === 'pptx' || kind === 'docx') return readOffice(bytes, kind)
  if (text === undefined) return [{ kind: 'unreadable', message: NOT_TEXT }]
  return TEXT_READERS[kind](sourceOf(text), sheets)
}

const TEXT_READERS: Readonly<
  Record<Exclude<LintKind, 'pptx' | 'docx'>, (source: SourceText, sheets: Sheets) => Iterable<Use>>
> = {
  css: (source, sheets) => readCss(source, { syntax: 'css', sheets }),
  scss: (source, sheets) => readCss(source, { syntax: 'scss', sheets }),
  html: readHtml,
  svg: readSvg,
  markdown: readMarkdown,
  text: ({ text, at }) => [{ kind: 'words', text, at }],
  tokens: readTokens,
  json: readTokens,
}

/** The kinds whose comments may name what to ignore. */
const COMMENTED_KINDS: ReadonlySet<LintKind> = new Set(['css', 'scss', 'html', 'svg'])

const NOT_TEXT = 'is not text in UTF-8, or in UTF-16 with a byte order mark: save it as UTF-8'

/** The sheets of a file that are here; adds the others to `needs`. */
function openedSheets(path: string, given: LintTask['sheets'], needs: Set<string>): Sheets {
  const opened = new Set([path])
  const below = (base: string): Sheets => ({
    open: address => {
      const target = sheetPath(base, address)
      if (target === undefined || opened.has(target)) return undefined
      const text = given.get(target)
      if (text === undefined) needs.add(target)
      if (typeof text !== 'string') return undefined
      opened.add(target)
      return { text, sheets: below(target) }
    },
  })
  return below(path)
}

/** The path of a linked sheet in the folder of the files; undefined if it is elsewhere. */
function sheetPath(base: string, address: string): string | undefined {
  const path = /^(?!\/\/|[a-z][a-z0-9+.-]*:)[^?#]+/i.exec(address.trim())?.[0]
  if (path === undefined || !URI_SAFE.test(path)) return undefined
  const decoded = decodeURIComponent(path)
  const joined = decoded.startsWith('/') ? join('.', decoded) : join(dirname(base), decoded)
  return joined.startsWith('..') || /[\0\\]/.test(joined) ? undefined : joined.replace(/^\/+/, '')
}

/** A text whose percent signs begin UTF-8 in hex is all that `decodeURIComponent` accepts. */
const URI_SAFE = /^(?:[^%]|%[0-7][0-9a-f])*$/i

/** Whether a sheet already uses a variable of the brand, as `export --to css` names them. */
function usesVariables(text: string, kind: LintKind, { colors }: LintTask['brand']): boolean {
  if (kind !== 'css' && kind !== 'scss') return false
  const ids = new Set(colors.map(({ id }) => id))
  return text.matchAll(/var\(\s*--color-([\w-]{1,100})/g).some(([, id = '']) => ids.has(id))
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
