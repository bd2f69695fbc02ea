import { createHash } from 'node:crypto'
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { join as joinPosix } from 'node:path/posix'
import { type BrandFiles, type ComparedFile, fileFindings } from '#delivery/lint/brand-files.ts'
import { kindOf, type LintKind, maxBytesOf, PICTURE_NAME, whyUnread } from '#delivery/lint/file-kind.ts'
import type { LintFinding } from '#delivery/lint/finding.ts'
import type { LintBrand } from '#delivery/lint/lint-brand.ts'
import type { LintAnswer, LintTask } from '#delivery/lint/lint-file.ts'
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
import { editFile, pathIn } from '../write/edit-file.ts'

/** A file that was compared with the brand. */
export type Linted = {
  file: FoundFile
  findings: readonly LintFinding[]
  /** Whether it was read; otherwise it was only compared with old files. */
  isRead: boolean
  /** The content that was read, and what a fix replaces in it. */
  bytes: Uint8Array
  edits: readonly Edit[]
  /** The colours that no fix replaces, and why. */
  unfixed: readonly string[]
  /** The style sheets and pictures that a page links, which are compared as files after the listed ones. */
  linked: readonly FoundFile[]
  /** The kind of a file that others made, such as a built style sheet; absent for other files. */
  others?: OthersKind | undefined
  /** The hash of the file, if it is one of the brand's published files. */
  ownHash?: string
}

export type LintParts = {
  linter: Linter
  brand: LintBrand
  purpose: LintTask['purpose']
  /** The paths in the brand of its published files, by hash. Their content is not judged. */
  published: ReadonlyMap<string, string>
  /** The brand's names: a file that has one was not made by others. Absent if no file counts as made by others (`--all`). */
  names?: readonly string[] | undefined
  brandFiles: BrandFiles
  /** Whether the brand's project.yaml leaves a file out, by its real path. */
  isIgnored: (path: string) => boolean
  signal: AbortSignal
  progress: (progress: Progress) => void
}

/**
 * Compares files with the brand: first files of a known kind, then files that are only compared with old files, then the
 * style sheets and pictures that pages link and that are not among `files`.
 */
export async function* lintFiles(files: readonly FoundFile[], parts: LintParts): AsyncGenerator<Linted> {
  const linkedByPath = new Map<string, FoundFile>()
  let done = 0
  const report = ({ file }: Linted, total: number) => {
    done++
    parts.progress({ project: file.shown, done, total })
  }
  const { typed = [], untyped = [] } = Object.groupBy(files, ({ kind }) => (kind === undefined ? 'untyped' : 'typed'))
  for await (const linted of inOrder(typed, parts)) {
    report(linted, files.length)
    for (const file of linted.linked) linkedByPath.set(file.path, file)
    yield linted
  }
  // A listed file without a kind that a page links as a style sheet is read as CSS.
  const untypedOrLinked = untyped.map(file => ({ ...file, kind: linkedByPath.get(file.path)?.kind }))
  for (const { path } of files) linkedByPath.delete(path)
  for await (const linted of inOrder([...untypedOrLinked, ...linkedByPath.values()], parts)) {
    report(linted, files.length + linkedByPath.size)
    yield linted
  }
}

/** Compares a few files at the same time, and yields them in their order. */
async function* inOrder(files: readonly FoundFile[], parts: LintParts): AsyncGenerator<Linted> {
  /** The comparisons that have begun and are not yielded, in order. The first one's file is at `at`. */
  const running: Promise<Linted>[] = []
  for (const [at] of files.entries()) {
    parts.signal.throwIfAborted()
    for (const file of files.slice(at + running.length, at + CONCURRENCY)) running.push(lintOne(file, parts))
    // An early failure must not count as an unhandled rejection: it is thrown below, when it is the file's turn.
    for (const comparison of running) comparison.catch(() => undefined)
    const linted = await running.shift()
    if (linted) yield linted
  }
}

/** Enough to keep two processes busy. */
const CONCURRENCY = 4

async function lintOne(file: FoundFile, parts: LintParts): Promise<Linted> {
  try {
    if (file.kind === undefined) return await compareOne(file, parts)
    const content = readWhole(file.path, maxBytesOf(file.kind))
    if (typeof content !== 'string') return await lintBytes(file, content, parts)
    // JSON is only read for design tokens: like one without them, a file too large for them is only compared.
    return file.kind === 'json' ? await compareOne(file, parts) : unread(file, content, parts)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const fix = FIXES[error.code] ?? 'allow your user to read it, or leave it out'
    return unread(file, `${error.message}: ${fix}`, parts)
  }
}

/** Fixes by the code of `Unreadable`. */
const FIXES: Readonly<Record<string, string>> = {
  [NOT_A_FILE]: 'leave it out',
  ENOENT: 'it was removed, or its name is not UTF-8',
}

/** A file after its fixes: the findings in the fixed content and the diff of the fixes, or why it was not written. */
export type Fixed = Linted & { diff: string; problem?: string }

/** Makes the fixes of a file, on disk if `isWritten`, and compares the fixed content again. */
export async function fixFile(linted: Linted, parts: LintParts, folder: string, isWritten: boolean): Promise<Fixed> {
  const { file, bytes, edits } = linted
  if (edits.length === 0) return { ...linted, diff: '' }
  // The path as the user named it, not the real one: `replaceFile` refuses it if it has a link.
  const named = { path: resolve(folder, file.shown), root: file.root, bytes, edits }
  const edited = await editFile(named, folder, isWritten)
  if (!edited.ok) return { ...linted, diff: '', problem: edited.problem }
  return { ...(await lintBytes(file, edited.value.fixed, parts)), diff: edited.value.diff }
}

/** Compares the content of a file, the style sheets that it links, and the files and pictures in it or placed by it. */
async function lintBytes(file: FoundFile, bytes: Uint8Array, parts: LintParts): Promise<Linted> {
  const { linter, brand, purpose, names } = parts
  const page: OpenPage = { file, bytes, linked: [] }
  const path = pathIn(file.root, file.path)
  const task = { path, kind: file.kind ?? 'text', brand, ...(purpose && { purpose }) }
  const answer = await linter.lint({ ...task, bytes, sheetOf: address => openSheet(address, page, parts) })
  if (!answer.ok) return unread(file, answer.problem, parts)
  const { findings, edits, left: unfixed, isRead } = answer.value
  const { ofFiles, ownHash } = await compareFiles(answer.value, page, parts)
  if (ownHash !== undefined) return { ...NO_CONTENT, file, findings: ofFiles, isRead: true, ownHash }
  const allFindings = [...findings.map(finding => ({ ...finding, path: file.shown })), ...ofFiles]
  const { linked } = page
  const start = new TextDecoder().decode(bytes.subarray(0, START_BYTES))
  const others = names && othersKind(pathIn(file.home, file.path), start, names)
  return isRead
    ? { file, findings: allFindings, isRead, bytes, edits, unfixed, linked, others }
    : notRead({ ...NO_CONTENT, file, findings: allFindings, isRead }, parts)
}

/** The part of a sheet that shows whether it is built. */
const START_BYTES = 64 << 10

/** A file that is read, and the readable files that it has linked so far. */
type OpenPage = { file: FoundFile; bytes: Uint8Array; linked: FoundFile[] }

/** The text of a style sheet that a file links; null if it cannot be read. Adds the sheets of HTML to `linked`. */
async function openSheet(address: string, { file, linked }: OpenPage, parts: LintParts): Promise<string | null> {
  const sheet = fileNextTo(file, address)
  const content = attemptRead(sheet.path, MAX_SHEET_BYTES)
  const text = (content && decodeText(content)) ?? null
  if (text !== null && file.kind === 'html' && !isSkipped(address, sheet, parts)) linked.push(sheet)
  return text
}

/**
 * Compares a file with the brand's files, and unless it is itself one of them, also the files inside it and the pictures
 * that it places. `ownHash` is its hash if it is a published file of the brand.
 */
async function compareFiles({ files, pictures }: LintAnswer, page: OpenPage, parts: LintParts) {
  const { file, bytes } = page
  // The first is the file itself, the others are inside it.
  const [self, ...innerFiles] = files
  const hash = self?.hash ?? ''
  const ownPath = parts.published.get(hash)
  // A drawing is compared with the logos, unless it is itself a file of the brand, such as `files/logo.svg`.
  const picture = file.kind === 'svg' && !ownPath?.startsWith('files/') ? { picture: bytes } : {}
  const selfUse = self ? [{ ...self, name: file.shown, ...picture }] : []
  const innerUses =
    ownPath === undefined ? [...innerFiles, ...pictures.flatMap(use => placedPicture(use, page, parts))] : []
  const place = { path: file.shown, levels: parts.brand.levels }
  const ofFiles = await fileFindings([...selfUse, ...innerUses], parts.brandFiles, place)
  return { ofFiles, ownHash: ownPath === undefined ? undefined : hash }
}

/**
 * A picture that a page places, if it can be read and its placement is known; otherwise empty. Adds a readable picture
 * to `linked`, so that it is also compared as a file itself.
 */
function placedPicture(
  { address, placement, ...use }: PictureUse & Place,
  page: OpenPage,
  parts: LintParts,
): ComparedFile[] {
  const file = { ...fileNextTo(page.file, address), kind: kindOf(address) }
  if (!parts.brandFiles.logos || !PICTURE_NAME.test(address) || isSkipped(address, file, parts)) return []
  const picture = attemptRead(file.path, MAX_PICTURE_BYTES)
  if (picture) page.linked.push(file)
  return picture && placement ? [{ ...use, kind: 'file', name: address, hash: '', picture, placement }] : []
}

/** Whether a file that another one links is not compared as a file itself. */
function isSkipped(address: string, { path }: FoundFile, { isIgnored }: LintParts): boolean {
  return !SKIPPED.isDisjointFrom(new Set(address.split('/'))) || isIgnored(path)
}

/**
 * Compares a file whose content is not read with the files of the brand: by its hash, and a picture also with the logos.
 * A file that the user did not name is only opened if there are old files to compare it with.
 */
async function compareOne(file: FoundFile, parts: LintParts): Promise<Linted> {
  using opened = openFile(file.path)
  const { brand, brandFiles, published } = parts
  const isPicture = brandFiles.logos && PICTURE_NAME.test(file.path) && opened.size <= MAX_PICTURE_BYTES
  const isComparable = file.isNamed || brandFiles.byHash.size > 0 || isPicture
  if (!isComparable) return { ...NO_CONTENT, file, findings: [], isRead: false }
  const digest = createHash('sha256')
  for await (const chunk of fileChunks(file.path, identityOf(opened.stat))) digest.update(chunk)
  const hash = digest.digest('hex')
  const picture = isPicture && !published.get(hash)?.startsWith('files/') ? readStart(opened, opened.size) : undefined
  const use = { kind: 'file', name: file.shown, hash, ...(picture && { picture }) } as const
  const findings = await fileFindings([use], brandFiles, { path: file.shown, levels: brand.levels })
  const isRead = picture !== undefined && (await brandFiles.logos?.inkOf(picture)) !== undefined
  const compared = { ...NO_CONTENT, file, findings, isRead }
  return published.has(hash) ? { ...compared, ownHash: hash } : isRead ? compared : notRead(compared, parts)
}

/** A file that was not read. If the user named it and nothing else was found, a finding says why. */
function notRead(compared: Linted, parts: LintParts): Linted {
  const { file, findings } = compared
  const needsNoReason = !file.isNamed || findings.length > 0
  return needsNoReason ? compared : { ...unread(file, whyUnread(file.shown), parts), isRead: false }
}

const NO_CONTENT = { bytes: new Uint8Array(), edits: [], unfixed: [], linked: [] }

/** The bytes of a file, or why it is too large, as the end of a sentence. @throws {Unreadable} */
function readWhole(path: string, maxBytes: number): Uint8Array | string {
  using file = openFile(path)
  if (file.size > maxBytes) return `has ${byteSize(file.size)}, more than the ${byteSize(maxBytes)} that are read`
  return readStart(file, maxBytes)
}

/** The bytes of a file that another one links; undefined if it is missing, too large or unreadable. */
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

/** A file with one finding, which says why it could not be read. */
function unread(file: FoundFile, message: string, { brand }: LintParts): Linted {
  const { unreadable: severity } = brand.levels
  const finding: LintFinding = { severity, rule: 'unreadable', path: file.shown, message, count: 1, value: message }
  return { ...NO_CONTENT, file, findings: [finding], isRead: true }
}

export type FoundFile = {
  /** Its path as the user named it, with `/`. */
  shown: string
  /** Its real path, absolute. */
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
      for await (const filePath of walk(path, io.signal, skipped))
        add(joinPosix(shown, pathIn(path, filePath)), filePath, path, false)
  }
  return [...found.values()]
}

/** The file with an address below the root of another file that links it. It is CSS, unless its name has another kind. */
function fileNextTo({ shown, root, home, path: from }: FoundFile, address: string): FoundFile {
  const path = join(root, address)
  const shownPath = joinPosix(shown, '..', pathIn(dirname(from), path))
  return { shown: shownPath, path, root, home, isNamed: false, kind: kindOf(path) ?? 'css' }
}

function missing(operand: string, error: unknown): never {
  const why = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? 'it does not exist' : codeOf(error)
  throw new Misuse(`cannot read ${visible(operand)}: ${why}; name a file or a folder`)
}

/**
 * The regular files below a folder: its own files by name, then those of its folders by name. A folder that cannot be
 * listed is yielded as if it were a file, so that it is reported as unreadable.
 */
async function* walk(top: string, signal: AbortSignal, skipped: ReadonlySet<string>): AsyncGenerator<string> {
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal.throwIfAborted()
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
    if (!entries) yield folder
    const sorted = entries?.toSorted((a, b) => compareStrings(a.name, b.name)) ?? []
    for (const entry of sorted) if (entry.isFile()) yield join(folder, entry.name)
    // The last folder comes first, because `pop` takes from the end.
    for (const entry of sorted.reverse())
      if (entry.isDirectory() && !skipped.has(entry.name)) waiting.push(join(folder, entry.name))
  }
}

const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules'])
