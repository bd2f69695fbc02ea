import { type BrandFile, isExpired } from '#brand/file.ts'
import type { LintLevel } from '#brand/lint-rules.ts'
import { pick, withoutUndefined } from '#platform/base/object.ts'
import { once } from '#platform/base/promise.ts'
import type { OldRevisionFile } from '#serving/publications/old-files.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { LintFinding } from './finding.ts'
import type { FileUse, Place } from './use.ts'

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

/** Earlier files by the SHA-256 of their bytes, and SVGs by the hash of their drawing, which is made on the first use. */
export type OldFiles = {
  byHash: ReadonlyMap<string, OldFile>
  byDrawing: () => Promise<ReadonlyMap<string, OldFile>>
}

export const NO_OLD_FILES: OldFiles = { byHash: new Map(), byDrawing: async () => new Map() }

/** The address of a file, and the hash of the drawing of an SVG; undefined if its bytes are gone or it is no SVG. */
type FileFacts = {
  address: (file: BrandFile) => string
  drawing: (hash: BrandFile['hash']) => Promise<string | undefined>
}

/** Finds the old files of a publication: those of earlier revisions, and today's whose licence has ended. */
export async function findOldFiles(
  { content }: Publication,
  earlier: readonly OldRevisionFile[],
  { address, drawing }: FileFacts,
): Promise<OldFiles> {
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
  const byDrawing = once(async () => {
    const drawn = new Map<string, OldFile>()
    for (const file of old.filter(isComparedAsDrawing)) {
      const hash = await drawing(file.hash)
      if (hash !== undefined) drawn.set(hash, file.old)
    }
    // An earlier file with today's drawing was only saved in another way.
    if (drawn.size > 0)
      for (const file of valid.filter(isComparedAsDrawing)) drawn.delete((await drawing(file.hash)) ?? '')
    return drawn
  })
  return { byHash: new Map(old.map(file => [file.hash, file.old])), byDrawing }
}

/** The paths of today's files whose licence has not ended, by hash: such a file is right as it is. */
export async function publishedFiles(content: Publication['content']): Promise<ReadonlyMap<string, string>> {
  const files = [...(await content.files()).values()]
  return new Map(files.filter(file => !isExpired(file, content.today())).map(({ hash, path }) => [hash, path]))
}

function isComparedAsDrawing({ contentType, size }: Pick<BrandFile, 'contentType' | 'size'>): boolean {
  return contentType === 'image/svg+xml' && size <= MAX_DRAWING_BYTES
}

/** The largest SVG whose drawing is compared: 4 MiB. */
export const MAX_DRAWING_BYTES = 4 << 20

/** The findings about a file and the files in it; one for each old file. */
export async function oldFindings(
  files: readonly (FileUse & Place)[],
  { byHash, byDrawing }: OldFiles,
  { path, level }: { path: string; level: LintLevel },
): Promise<LintFinding[]> {
  if (level === 'off') return []
  const findings = new Map<OldFile, LintFinding>()
  for (const { kind: _, name, hash, drawing, ...place } of files) {
    const old = byHash.get(hash) ?? (drawing === undefined ? undefined : (await byDrawing()).get(drawing))
    if (!old) continue
    const [before, details] = [findings.get(old), { ...place, ...detailsOf(old, name, name === path) }]
    if (before) before.count++
    else findings.set(old, { severity: level, rule: 'file-old', path, ...details, count: 1, value: old.path })
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
