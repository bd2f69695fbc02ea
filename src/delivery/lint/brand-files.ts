import { type BrandFile, isExpired, isPicture } from '#brand/file.ts'
import type { LintRuleId } from '#brand/lint-rules.ts'
import { pick, withoutUndefined } from '#platform/base/object.ts'
import { once } from '#platform/base/promise.ts'
import type { OldRevisionFile } from '#serving/publications/old-files.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { logosOf } from '../export/logos.ts'
import type { LintFinding } from './finding.ts'
import type { LintBrand } from './lint-brand.ts'
import type { Logo } from './logos.ts'
import type { FileUse, Place, Placement } from './use.ts'

/** An earlier file of the brand, or one whose licence has ended. */
type OldFile = {
  path: string
  /** The last revision that had the file; absent if it is in today's. */
  revision?: number
  /** The last day of its licence, if that is over. */
  until?: string
  /** The address of today's file at its path, or its path if there is no service. */
  today?: string
}

/** The files of a brand that others are compared with. Drawings and logos are read on the first use. */
export type BrandFiles = {
  /** Earlier files by the SHA-256 of their bytes, and SVGs by the hash of their drawing. */
  byHash: ReadonlyMap<string, OldFile>
  byDrawing: () => Promise<ReadonlyMap<string, OldFile>>
  /** Absent if the brand has no logos. */
  logos?: { all: () => Promise<readonly Logo[]>; inkOf: (picture: Uint8Array) => Promise<FileUse['ink']> }
}

export const NO_BRAND_FILES: BrandFiles = { byHash: new Map(), byDrawing: async () => new Map() }

export type FileFacts = {
  /** The address of a file of the brand, or its path if there is no service. */
  address: (file: BrandFile) => string
  /** The hash of the drawing, or the ink, of a file of the brand; undefined if it has none. */
  find: (hash: BrandFile['hash'], fact: 'drawing' | 'ink') => Promise<FileUse | undefined>
  /** The ink of any other picture. */
  inkOf: (picture: Uint8Array) => Promise<FileUse['ink']>
}

/** Finds the logos of a publication and its old files: those of earlier revisions, and today's whose licence has ended. */
export async function findBrandFiles(
  { content }: Publication,
  earlier: readonly OldRevisionFile[],
  facts: FileFacts,
): Promise<BrandFiles> {
  const logoFiles = await findLogoFiles(content)
  const oldFiles = await findOldFiles(content, earlier, facts)
  if (logoFiles.length === 0) return oldFiles
  const logoOf = async (file: BrandFile): Promise<Logo[]> => {
    // `none` is a picture without a measurable ink, such as a photo; here, also one that cannot be read.
    const { ink = 'none' } = (await facts.find(file.hash, 'ink')) ?? {}
    return ink === 'none' ? [] : [{ ...pick(file, ['path', 'minWidth']), address: facts.address(file), ink }]
  }
  const all = once(async () => (await Promise.all(logoFiles.map(logoOf))).flat())
  return { ...oldFiles, logos: { all, inkOf: facts.inkOf } }
}

/** The logos of a brand, and pictures with clear space, without other formats of the same picture. */
async function findLogoFiles(content: Publication['content']): Promise<BrandFile[]> {
  const { logos } = await logosOf(content)
  const files = (await content.files()).values()
  const withClearSpace = files.filter(file => file.clearSpace !== undefined && !isExpired(file, content.today()))
  const all = new Set([...logos, ...withClearSpace])
  return [...all].filter(file => isPicture(file) && ![...all].some(({ path }) => path === file.variantOf))
}

/**
 * The earlier files, then today's whose licence has ended, unless another file has the same bytes and a licence. Of files
 * with the same bytes, the last counts.
 */
async function findOldFiles(
  content: Publication['content'],
  earlier: readonly OldRevisionFile[],
  { address, find }: FileFacts,
): Promise<Pick<BrandFiles, 'byHash' | 'byDrawing'>> {
  const files = await content.files()
  const usableHashes = await publishedFiles(content)
  const isUsable = (file: BrandFile) => !isExpired(file, content.today())
  const todayAt = (path: string) => {
    const file = files.get(path)
    return file && isUsable(file) ? { today: address(file) } : {}
  }
  const usableFiles = [...files.values()].filter(isUsable)
  const expiredFiles = [...files.values()].filter(({ hash }) => !usableHashes.has(hash))
  const oldFiles: (Pick<BrandFile, 'hash' | 'size' | 'contentType'> & { old: OldFile })[] = [
    ...earlier.map(file => ({ ...file, old: { ...pick(file, ['path', 'revision']), ...todayAt(file.path) } })),
    ...expiredFiles.map(file => ({ ...file, old: pick(file, ['path', 'until']) })),
  ]
  const drawingOf = async ({ hash, contentType, size }: Pick<BrandFile, 'hash' | 'contentType' | 'size'>) => {
    const isCompared = contentType === 'image/svg+xml' && size <= MAX_DRAWING_BYTES
    // Empty for a file that is not compared by its drawing.
    return (isCompared && (await find(hash, 'drawing'))?.drawing) || ''
  }
  const byDrawing = once(async () => {
    const oldDrawings = new Map<string, OldFile>()
    for (const file of oldFiles) oldDrawings.set(await drawingOf(file), file.old)
    oldDrawings.delete('')
    // An earlier file with today's drawing was only saved in another way.
    if (oldDrawings.size > 0) for (const file of usableFiles) oldDrawings.delete(await drawingOf(file))
    return oldDrawings
  })
  return { byHash: new Map(oldFiles.map(file => [file.hash, file.old])), byDrawing }
}

/**
 * The paths of today's files whose licence has not ended, by hash: such a file is right as it is. The first of files
 * with the same bytes counts, so that one of `files/` wins over one of `pages/`.
 */
export async function publishedFiles(content: Publication['content']): Promise<ReadonlyMap<string, string>> {
  const files = [...(await content.files()).values()].toReversed()
  return new Map(files.filter(file => !isExpired(file, content.today())).map(({ hash, path }) => [hash, path]))
}

/** The largest SVG whose drawing is compared: 4 MiB. */
export const MAX_DRAWING_BYTES = 4 << 20

/** A file to compare. The bytes of a picture are measured if needed; `placement` is its size on a page that shows it. */
export type ComparedFile = FileUse & Place & { picture?: Uint8Array; placement?: Placement }

const LOGO_RULES = ['logo-recolored', 'logo-stretched', 'logo-small'] as const

/** The findings about a file and the files in or on it; one for each old file, and for each rule and logo. */
export async function fileFindings(
  files: readonly ComparedFile[],
  { byHash, byDrawing, logos }: BrandFiles,
  { path, levels }: { path: string; levels: LintBrand['levels'] },
): Promise<LintFinding[]> {
  const findings = new Map<OldFile | string, LintFinding>()
  const add = (key: OldFile | string, rule: LintRuleId, details: Omit<LintFinding, 'severity' | 'rule'>) => {
    const severity = levels[rule]
    const finding = findings.get(key)
    if (finding) finding.count++
    else if (severity !== 'off') findings.set(key, { severity, rule, ...details })
  }
  const judgesLogos = LOGO_RULES.some(rule => levels[rule] !== 'off')
  // `at` is the place of a file: its other fields are taken out of it.
  for (const { kind: _, name, hash, drawing, ink: __, picture, placement, ...at } of files) {
    const place = { path, count: 1, ...at }
    const old = byHash.get(hash) ?? (drawing === undefined ? undefined : (await byDrawing()).get(drawing))
    if (old) add(old, 'file-old', { ...place, ...detailsOf(old, name, name === path), value: old.path })
    // A picture is only measured if a rule needs it; an old file has its finding already.
    const ink = (picture && !old && judgesLogos && (await logos?.inkOf(picture))) || 'none'
    if (ink === 'none' || !logos) continue
    const { logoProblems } = await import('./logos.ts')
    for (const { rule, logo, found, message } of logoProblems(ink, await logos.all(), placement)) {
      const value = `${logo.path} ${found}`
      const sentence = `${name === path ? 'this picture' : name} is ${logo.path}, ${message}`
      add(`${rule} ${value}`, rule, { ...place, found, nearest: logo.path, message: sentence, value })
    }
  }
  return [...findings.values()]
}

/** The details of the finding about an old file: `name` is the file itself, or a file in it. */
function detailsOf({ path, revision, until, today }: OldFile, name: string, isFile: boolean) {
  const why =
    until === undefined
      ? `an earlier ${path}, last in revision ${revision}`
      : `${path}, whose licence ended on ${until}`
  const fix = today === undefined ? 'the brand has no file in its place: remove it' : `use ${today}`
  const message = `${isFile ? 'this file' : name} is ${why}; ${fix}`
  return withoutUndefined({ found: name || undefined, write: today, message })
}
