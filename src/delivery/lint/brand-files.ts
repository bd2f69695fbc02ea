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

/** The address of a file, and a fact about its content or the one of others; undefined if it does not have it. */
export type FileFacts = {
  address: (file: BrandFile) => string
  find: (hash: BrandFile['hash'], fact: 'drawing' | 'ink') => Promise<FileUse | undefined>
  inkOf: (picture: Uint8Array) => Promise<FileUse['ink']>
}

/** Finds the logos of a publication and its old files: those of earlier revisions, and today's whose licence has ended. */
export async function findBrandFiles(
  { content }: Publication,
  earlier: readonly OldRevisionFile[],
  facts: FileFacts,
): Promise<BrandFiles> {
  const [files, old] = [await logoFiles(content), await findOldFiles(content, earlier, facts)]
  const read = async (file: BrandFile): Promise<Logo[]> => {
    const { ink = 'none' } = (await facts.find(file.hash, 'ink')) ?? {}
    return ink === 'none' ? [] : [{ ...pick(file, ['path', 'minWidth']), address: facts.address(file), ink }]
  }
  const all = once(async () => (await Promise.all(files.map(read))).flat())
  return files.length === 0 ? old : { ...old, logos: { all, inkOf: facts.inkOf } }
}

/** The logos of a brand, and pictures with clear space, without other formats of the same picture. */
async function logoFiles(content: Publication['content']): Promise<BrandFile[]> {
  const [{ logos }, files] = [await logosOf(content), (await content.files()).values()]
  const spaced = files.filter(file => file.clearSpace !== undefined && !isExpired(file, content.today()))
  const all = new Set([...logos, ...spaced])
  return [...all].filter(file => isPicture(file) && ![...all].some(({ path }) => path === file.variantOf))
}

async function findOldFiles(
  content: Publication['content'],
  earlier: readonly OldRevisionFile[],
  { address, find }: FileFacts,
): Promise<Pick<BrandFiles, 'byHash' | 'byDrawing'>> {
  const files = await content.files()
  const validHashes = await publishedFiles(content)
  const isOver = (file: BrandFile) => isExpired(file, content.today())
  const todayAt = (path: string) => {
    const file = files.get(path)
    return file && !isOver(file) ? { today: address(file) } : {}
  }
  const valid = [...files.values()].filter(file => !isOver(file))
  const over = [...files.values()].filter(({ hash }) => !validHashes.has(hash))
  const old: (Pick<BrandFile, 'hash' | 'size' | 'contentType'> & { old: OldFile })[] = [
    ...earlier.map(file => ({ ...file, old: { ...pick(file, ['path', 'revision']), ...todayAt(file.path) } })),
    ...over.map(file => ({ ...file, old: pick(file, ['path', 'until']) })),
  ]
  const drawingOf = async ({ hash, contentType, size }: Pick<BrandFile, 'hash' | 'contentType' | 'size'>) => {
    const isCompared = contentType === 'image/svg+xml' && size <= MAX_DRAWING_BYTES
    return (isCompared && (await find(hash, 'drawing'))?.drawing) || ''
  }
  const byDrawing = once(async () => {
    const drawn = new Map<string, OldFile>()
    for (const file of old) drawn.set(await drawingOf(file), file.old)
    drawn.delete('')
    // An earlier file with today's drawing was only saved in another way.
    if (drawn.size > 0) for (const file of valid) drawn.delete(await drawingOf(file))
    return drawn
  })
  return { byHash: new Map(old.map(file => [file.hash, file.old])), byDrawing }
}

/** The paths of today's files whose licence has not ended, by hash: such a file is right as it is. One of `files/` wins. */
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
    const [severity, before] = [levels[rule], findings.get(key)]
    if (before) before.count++
    else if (severity !== 'off') findings.set(key, { severity, rule, ...details })
  }
  for (const { kind: _, name, hash, drawing, ink: __, picture, placement, ...use } of files) {
    const place = { path, count: 1, ...use }
    const old = byHash.get(hash) ?? (drawing === undefined ? undefined : (await byDrawing()).get(drawing))
    if (old) add(old, 'file-old', { ...place, ...detailsOf(old, name, name === path), value: old.path })
    const isJudged = LOGO_RULES.some(rule => levels[rule] !== 'off')
    const ink = (picture && !old && isJudged && (await logos?.inkOf(picture))) || 'none'
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

function detailsOf({ path, revision, until, today }: OldFile, name: string, isFile: boolean) {
  const why =
    until === undefined
      ? `an earlier ${path}, last in revision ${revision}`
      : `${path}, whose licence ended on ${until}`
  const fix = today === undefined ? 'the brand has no file in its place: remove it' : `use ${today}`
  const message = `${isFile ? 'this file' : name} is ${why}; ${fix}`
  return withoutUndefined({ found: name || undefined, write: today, message })
}
