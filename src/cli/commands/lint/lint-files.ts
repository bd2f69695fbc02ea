import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { decodeText } from '../../../base/bytes.ts'
import { identityOf } from '../../../intake/folder/file-version.ts'
import { fileChunks, openFile, readStart } from '../../../intake/folder/open-file.ts'
import { Unreadable } from '../../../intake/folder/unreadable.ts'
import type { Progress } from '../../../intake/reading.ts'
import { maxBytesOf } from '../../../lint/file-kind.ts'
import type { Edit, LintFinding } from '../../../lint/finding.ts'
import type { LintBrand } from '../../../lint/lint-brand.ts'
import type { Linter } from '../../../lint/linter.ts'
import { type OldFiles, oldFindings } from '../../../lint/old-files.ts'
import { byteSize } from '../../output/text.ts'
import { type FoundFile, pathIn, sheetNextTo } from './find-files.ts'

/** The findings by the path of their file, in the order of files, what a fix changes, and how many files were read. */
export type Linted = {
  findings: ReadonlyMap<string, readonly LintFinding[]>
  fixes: readonly Fix[]
  read: number
  compared: number
}

/** A file with its bytes, and what a fix replaces in it. */
export type Fix = { file: FoundFile; bytes: Uint8Array; edits: readonly Edit[] }

export type LintParts = {
  linter: Linter
  brand: LintBrand
  oldFiles: OldFiles
  /** Whether fixes are wanted; otherwise their files need not stay in memory. */
  isFixing: boolean
  signal: AbortSignal
  progress: (progress: Progress) => void
}

/** Compares files with a brand, some at a time. Sheets that named HTML files link come after them. */
export async function lintFiles(files: readonly FoundFile[], parts: LintParts): Promise<Linted> {
  const queue = [...files]
  const known = new Set(queue.map(({ path }) => path))
  const done: (OneLinted | undefined)[] = []
  let next = 0
  const work = async () => {
    while (next < queue.length) {
      const at = next++
      const file = queue[at]
      if (!file) return
      parts.signal.throwIfAborted()
      done[at] = await lintOne(file, parts)
      for (const sheet of done[at].sheets) if (!known.has(sheet.path)) queue.push(sheet)
      for (const { path } of done[at].sheets) known.add(path)
      parts.progress({ project: file.shown, done: at + 1, total: queue.length })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  const all = done.filter(each => each !== undefined)
  return {
    findings: new Map(all.map(({ file, findings }) => [file.path, findings])),
    fixes: all.flatMap(({ fix }) => fix ?? []),
    read: all.filter(({ isRead }) => isRead).length,
    compared: all.filter(({ isRead }) => !isRead).length,
  }
}

/** Enough to keep two processes busy. */
const CONCURRENCY = 4

type OneLinted = {
  file: FoundFile
  findings: readonly LintFinding[]
  fix?: Fix
  isRead: boolean
  /** The sheets that it links. */
  sheets: readonly FoundFile[]
}

async function lintOne(file: FoundFile, parts: LintParts): Promise<OneLinted> {
  try {
    if (file.kind === undefined) return await compareOne(file, parts)
    const bytes = readWhole(file.path, maxBytesOf(file.kind))
    return typeof bytes === 'string' ? unread(file, bytes, parts) : await lintBytes(file, bytes, parts)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return unread(file, `${error.message}: allow your user to read it, or leave it out`, parts)
  }
}

/** Compares the content of a file that is read. */
export async function lintBytes(file: FoundFile, bytes: Uint8Array, parts: LintParts): Promise<OneLinted> {
  const sheets: FoundFile[] = []
  const openSheet = async (path: string) => {
    const sheet = sheetNextTo(file, path)
    const text = readSheet(sheet.path)
    if (text !== null && file.isNamed && file.kind === 'html') sheets.push(sheet)
    return text
  }
  const path = pathIn(file.root, file.path)
  const answer = await parts.linter.lint({
    path,
    kind: file.kind ?? 'text',
    brand: parts.brand,
    bytes,
    sheetOf: openSheet,
  })
  if (!answer.ok) return unread(file, answer.problem, parts)
  const { findings, edits, files, isRead } = answer.value
  const level = parts.brand.levels['file-old']
  const [self, ...inner] = files
  const named = self ? [{ ...self, name: file.shown }, ...inner] : inner
  return {
    file,
    findings: [
      ...findings.map(finding => ({ ...finding, path: file.shown })),
      ...oldFindings(named, parts.oldFiles, { path: file.shown, level }),
    ],
    ...(parts.isFixing && edits.length > 0 && { fix: { file, bytes, edits } }),
    isRead,
    sheets,
  }
}

/** Hashes a file that is not read, if there are old files. */
async function compareOne(file: FoundFile, { brand, oldFiles }: LintParts): Promise<OneLinted> {
  if (oldFiles.byHash.size === 0) return { file, findings: [], isRead: false, sheets: [] }
  const digest = createHash('sha256')
  for await (const chunk of fileChunks(file.path, identityOf(await lstat(file.path)))) digest.update(chunk)
  const use = { kind: 'file', name: file.shown, hash: digest.digest('hex') } as const
  const level = brand.levels['file-old']
  return { file, findings: oldFindings([use], oldFiles, { path: file.shown, level }), isRead: false, sheets: [] }
}

/** The bytes of a file, or why it is not read. */
function readWhole(path: string, maxBytes: number): Uint8Array | string {
  using file = openFile(path)
  if (file.size > maxBytes) return `has ${byteSize(file.size)}, more than the ${byteSize(maxBytes)} that are read`
  return readStart(file, maxBytes)
}

/** The text of a sheet; null if there is none that may be read. */
function readSheet(path: string): string | null {
  try {
    const bytes = readWhole(path, MAX_SHEET_BYTES)
    return typeof bytes === 'string' ? null : (decodeText(bytes) ?? null)
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

const MAX_SHEET_BYTES = 2 << 20

function unread(file: FoundFile, why: string, { brand }: LintParts): OneLinted {
  const finding = {
    severity: brand.levels.unreadable,
    rule: 'unreadable',
    path: file.shown,
    message: why,
    count: 1,
  } as const
  return { file, findings: [finding], isRead: true, sheets: [] }
}
