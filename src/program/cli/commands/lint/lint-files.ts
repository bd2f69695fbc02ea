import { createHash } from 'node:crypto'
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { join as joinPosix } from 'node:path/posix'
import { type BrandFiles, type ComparedFile, fileFindings } from '#delivery/lint/brand-files.ts'
import { kindOf, type LintKind, maxBytesOf, PICTURE_NAME, whyUnread } from '#delivery/lint/file-kind.ts'
import type { LintFinding } from '#delivery/lint/finding.ts'
import type { LintBrand } from '#delivery/lint/lint-brand.ts'
import type { LintTask } from '#delivery/lint/lint-file.ts'
import { type Linter, MAX_PICTURE_BYTES } from '#delivery/lint/linter.ts'
import { type OthersKind, othersKind } from '#delivery/lint/others.ts'
import type { PictureUse, Place } from '#delivery/lint/use.ts'
import { identityOf } from '#intake/folder/file-version.ts'
import { fileChunks, openFile, readStart } from '#intake/folder/open-file.ts'
import { codeOf, NOT_A_FILE, Unreadable } from '#intake/folder/unreadable.ts'
import type { Progress } from '#intake/reading.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { compareStrings, type Edit } from '#platform/base/text.ts'
import type { Io } from '../../command.ts'
import { Misuse } from '../../failure.ts'
import { byteSize, visible } from '../../output/text.ts'
import { repositoryOf } from '../write/annotations.ts'

export type Linted = {
  file: FoundFile
  findings: readonly LintFinding[]
  /** Whether it was read; otherwise it was only compared with old files. */
  isRead: boolean
  /** The content that was read, and what a fix replaces in it. */
  bytes: Uint8Array
  edits: readonly Edit[]
  /** The colours that no fix replaces, and why. */
  left: readonly string[]
  sheets: readonly FoundFile[]
  /** The kind of a file that others made. */
  others?: OthersKind | undefined
  /** The hash of a file of the brand. */
  own?: string
}

export type LintParts = {
  linter: Linter
  brand: LintBrand
  purpose: LintTask['purpose']
  /** The paths of the brand's files, which are right as they are, by hash. */
  published: ReadonlyMap<string, string>
  /** The names by which a file is the brand's own; absent if all files are read as its own. */
  names?: readonly string[] | undefined
  brandFiles: BrandFiles
  /** Whether a file is left out, by its real path. */
  isIgnored: (path: string) => boolean
  signal: AbortSignal
  progress: (progress: Progress) => void
}

/** Files that are only compared with old ones come last, then linked sheets, which are CSS under any name. */
export async function* lintFiles(files: readonly FoundFile[], parts: LintParts): AsyncGenerator<Linted> {
  const linked = new Map<string, FoundFile>()
  let done = 0
  const report = ({ file }: Linted, total: number) => parts.progress({ project: file.shown, done: ++done, total })
  const { read = [], other = [] } = Object.groupBy(files, ({ kind }) => (kind === undefined ? 'other' : 'read'))
  for await (const linted of inOrder(read, parts)) {
    report(linted, files.length)
    for (const sheet of linted.sheets) linked.set(sheet.path, sheet)
    yield linted
  }
  const others = other.map(file => ({ ...file, kind: linked.get(file.path)?.kind }))
  for (const { path } of files) linked.delete(path)
  for await (const linted of inOrder([...others, ...linked.values()], parts)) {
    report(linted, files.length + linked.size)
    yield linted
  }
}

/** Compares some files at a time, and yields them in order. */
async function* inOrder(files: readonly FoundFile[], parts: LintParts): AsyncGenerator<Linted> {
  const running: Promise<Linted>[] = []
  for (const [at] of files.entries()) {
    parts.signal.throwIfAborted()
    for (const file of files.slice(at + running.length, at + CONCURRENCY)) running.push(lintOne(file, parts))
    // A failure is thrown where its turn comes.
    for (const each of running) each.catch(() => undefined)
    const linted = await running.shift()
    if (linted) yield linted
  }
}

/** Enough to keep two processes busy. */
const CONCURRENCY = 4

async function lintOne(file: FoundFile, parts: LintParts): Promise<Linted> {
  try {
    const bytes = file.kind === undefined ? '' : readWhole(file.path, maxBytesOf(file.kind))
    if (typeof bytes !== 'string') return await lintBytes(file, bytes, parts)
    if (file.kind === undefined || file.kind === 'json') return await compareOne(file, parts)
    return unread(file, bytes, parts)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const fix = FIXES[error.code] ?? 'allow your user to read it, or leave it out'
    return unread(file, `${error.message}: ${fix}`, parts)
  }
}

const FIXES: Readonly<Record<string, string>> = {
  [NOT_A_FILE]: 'leave it out',
  ENOENT: 'it was removed, or its name is not UTF-8',
}

export async function lintBytes(file: FoundFile, bytes: Uint8Array, parts: LintParts): Promise<Linted> {
  const sheets: FoundFile[] = []
  const openSheet = async (path: string) => {
    const sheet = sheetNextTo(file, path)
    const content = attemptRead(sheet.path, MAX_SHEET_BYTES)
    const text = (content && decodeText(content)) ?? null
    if (text !== null && file.kind === 'html' && !isSkipped(path, sheet, parts)) sheets.push(sheet)
    return text
  }
  const path = pathIn(file.root, file.path)
  const { linter, brand, purpose, brandFiles, names } = parts
  const task = { path, kind: file.kind ?? 'text', brand, ...(purpose && { purpose }) }
  const answer = await linter.lint({ ...task, bytes, sheetOf: openSheet })
  if (!answer.ok) return unread(file, answer.problem, parts)
  const { findings, edits, left, files, pictures, isRead } = answer.value
  const [self, ...inner] = files
  const own = parts.published.get(self?.hash ?? '')
  const picture = file.kind === 'svg' && !own?.startsWith('files/') ? { picture: bytes } : {}
  const named = self ? [{ ...self, name: file.shown, ...picture }] : []
  const inside =
    own === undefined ? [...inner, ...pictures.flatMap(use => placedPicture(use, file, sheets, parts))] : []
  const known = await fileFindings([...named, ...inside], brandFiles, { path: file.shown, levels: brand.levels })
  if (self && own !== undefined) return { ...NO_CONTENT, file, findings: known, isRead: true, own: self.hash }
  const all = [...findings.map(finding => ({ ...finding, path: file.shown })), ...known]
  const start = new TextDecoder().decode(bytes.subarray(0, START_BYTES))
  const others = names && othersKind(pathIn(file.home, file.path), start, names)
  return isRead
    ? { file, findings: all, isRead, bytes, edits, left, sheets, others }
    : notRead({ ...NO_CONTENT, file, findings: all, isRead }, parts)
}

/** The part of a sheet that shows whether it is built. */
const START_BYTES = 64 << 10

/** A picture that a page places, which is also read as a file itself. */
function placedPicture(
  { address, placement, ...use }: PictureUse & Place,
  page: FoundFile,
  linked: FoundFile[],
  parts: LintParts,
): ComparedFile[] {
  const file = { ...sheetNextTo(page, address), kind: kindOf(address) }
  if (!parts.brandFiles.logos || !PICTURE_NAME.test(address) || isSkipped(address, file, parts)) return []
  const picture = attemptRead(file.path, MAX_PICTURE_BYTES)
  if (picture) linked.push(file)
  return picture && placement ? [{ ...use, kind: 'file', name: address, hash: '', picture, placement }] : []
}

/** Whether a file that another one names is not listed itself. */
function isSkipped(address: string, { path }: FoundFile, { isIgnored }: LintParts): boolean {
  return !SKIPPED.isDisjointFrom(new Set(address.split('/'))) || isIgnored(path)
}

/** Compares a file that is not read by its hash, if it is named or there are old files, and a picture by its ink. */
async function compareOne(file: FoundFile, parts: LintParts): Promise<Linted> {
  using opened = openFile(file.path)
  const { brand, brandFiles, published } = parts
  const isPicture = brandFiles.logos && PICTURE_NAME.test(file.path) && opened.size <= MAX_PICTURE_BYTES
  if (!file.isNamed && brandFiles.byHash.size === 0 && !isPicture)
    return { ...NO_CONTENT, file, findings: [], isRead: false }
  const digest = createHash('sha256')
  for await (const chunk of fileChunks(file.path, identityOf(opened.stat))) digest.update(chunk)
  const hash = digest.digest('hex')
  const picture = isPicture && !published.get(hash)?.startsWith('files/') ? readStart(opened, opened.size) : undefined
  const use = { kind: 'file', name: file.shown, hash, ...(picture && { picture }) } as const
  const findings = await fileFindings([use], brandFiles, { path: file.shown, levels: brand.levels })
  const isRead = picture !== undefined && (await brandFiles.logos?.inkOf(picture)) !== undefined
  const compared = { ...NO_CONTENT, file, findings, isRead }
  return published.has(hash) ? { ...compared, own: hash } : isRead ? compared : notRead(compared, parts)
}

/** A file that is not read; who names it expects to know more about it, if there is nothing else to say. */
function notRead(compared: Linted, parts: LintParts): Linted {
  const { file, findings } = compared
  const isPlain = !file.isNamed || findings.length > 0
  return isPlain ? compared : { ...unread(file, whyUnread(file.shown), parts), isRead: false }
}

const NO_CONTENT = { bytes: new Uint8Array(), edits: [], left: [], sheets: [] }

function readWhole(path: string, maxBytes: number): Uint8Array | string {
  using file = openFile(path)
  if (file.size > maxBytes) return `has ${byteSize(file.size)}, more than the ${byteSize(maxBytes)} that are read`
  return readStart(file, maxBytes)
}

/** The bytes of a file that another one names; undefined if there is none that may be read. */
function attemptRead(path: string, maxBytes: number): Uint8Array | undefined {
  try {
    const bytes = readWhole(path, maxBytes)
    return typeof bytes === 'string' ? undefined : bytes
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

const MAX_SHEET_BYTES = 2 << 20

function unread(file: FoundFile, message: string, { brand }: LintParts): Linted {
  const { unreadable: severity } = brand.levels
  const finding: LintFinding = { severity, rule: 'unreadable', path: file.shown, message, count: 1, value: message }
  return { ...NO_CONTENT, file, findings: [finding], isRead: true }
}

export type FoundFile = {
  /** Its path as the user named it, with `/`. */
  shown: string
  path: string
  /** The real path of the given folder, or of the folder of the given file: style sheets are only read below it. */
  root: string
  /** The folder whose folders may say that others made the file: its repository, or else the one above the working folder. */
  home: string
  /** Whether the user named it, and not only its folder. */
  isNamed: boolean
  /** Undefined if the file is only compared with old files. */
  kind: LintKind | undefined
}

/** Lists the files that the operands name, each once. Links, `.git` and `node_modules` in folders are left out. */
export async function findFiles(operands: readonly string[], io: Io, skipped = SKIPPED): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  const above = dirname(await realpath(io.folder))
  const add = (shown: string, path: string, root: string, isNamed: boolean) => {
    const home = repositoryOf(root) ?? (root.startsWith(above) ? above : dirname(root))
    if (!found.has(path)) found.set(path, { shown, path, root, home, isNamed, kind: kindOf(path) })
  }
  for (const operand of operands) {
    const path = await realpath(resolve(io.folder, operand)).catch(error => missing(operand, error))
    const shown = joinPosix(operand.replaceAll(sep, '/'))
    if (!(await stat(path)).isDirectory()) add(shown, path, dirname(path), true)
    else
      for await (const each of walk(path, io.signal, skipped))
        add(joinPosix(shown, pathIn(path, each)), each, path, false)
  }
  return [...found.values()]
}

function sheetNextTo({ shown, root, home, path }: FoundFile, sheet: string): FoundFile {
  const own = join(root, sheet)
  const ownShown = joinPosix(shown, '..', pathIn(dirname(path), own))
  return { shown: ownShown, path: own, root, home, isNamed: false, kind: kindOf(own) ?? 'css' }
}

/** The path of a file in a folder, with `/`. */
export function pathIn(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/')
}

function missing(operand: string, error: unknown): never {
  const why = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? 'it does not exist' : codeOf(error)
  throw new Misuse(`cannot read ${visible(operand)}: ${why}; name a file or a folder`)
}

/** The regular files below a folder by name. Folders that cannot be listed are kept, so that they are reported. */
async function* walk(folder: string, signal: AbortSignal, skipped: ReadonlySet<string>): AsyncGenerator<string> {
  const folders = [folder]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    signal.throwIfAborted()
    const entries = await readdir(at, { withFileTypes: true }).catch(() => undefined)
    if (!entries) yield at
    const sorted = entries?.toSorted((a, b) => compareStrings(a.name, b.name)) ?? []
    for (const entry of sorted) if (entry.isFile()) yield join(at, entry.name)
    for (const entry of sorted.reverse())
      if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(join(at, entry.name))
  }
}

const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules'])
