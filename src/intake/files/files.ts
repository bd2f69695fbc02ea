import { join } from 'node:path'
import { type BrandFile, filename } from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import type { Hash } from '#brand/ids.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { forEachOf } from '#platform/base/promise.ts'
import { currentFingerprintOf, versionOf } from '../folder/file-version.ts'
import { problem } from '../folder/findings.ts'
import { fileChunks } from '../folder/open-file.ts'
import { unreadableProblem } from '../folder/unreadable.ts'
import type { WalkedFile } from '../folder/walk.ts'
import type { MediaReading } from '../media/media.ts'
import type { MediaDetails } from '../media/media-task.ts'
import { inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'

/** A file as read, before details from files.yaml and alt texts from pages are added. */
export type ReadFile = BrandFile & { embedded?: string } & Omit<MediaDetails, 'description' | 'flaws' | 'patches'>

/** Reads the files of a project, several at once, in path order. Skips an unreadable file with a finding. */
export async function readFiles(reading: ProjectReading, files: readonly WalkedFile[]): Promise<ReadFile[]> {
  const read: (ReadFile | undefined)[] = Array.from({ length: files.length })
  await forEachOf(files.entries(), MAX_AT_ONCE, async ([at, file]) => {
    reading.options.signal.throwIfAborted()
    read[at] = await readFile(reading, file)
    reading.advance()
  })
  return read.filter(file => file !== undefined)
}

/** The number of files read at once: enough to keep the font and picture processes busy. */
const MAX_AT_ONCE = 48

async function readFile(reading: ProjectReading, file: WalkedFile): Promise<ReadFile | undefined> {
  const { project, report, options } = reading
  const { maxFile } = options.caps
  const path = file.path.slice(inFolder(project.folder, '').length)
  const breaks = { paths: [path] }
  if (file.size > maxFile) {
    const message = `has ${file.size} bytes, more than the limit of ${maxFile}: make it smaller, or raise --max-file`
    report(path, { ...problem('too-large', message), breaks })
    return undefined
  }
  const content = await readContent(reading, file)
  if ('rule' in content) {
    // The file could not be read.
    report(path, { ...content, breaks })
    return undefined
  }
  const { description: embedded, problems, ...rest } = content
  // A font that is missing because of the problem is only its consequence.
  report(path, ...problems.map(each => ({ ...each, breaks })))
  return withoutUndefined({ path, ...rest, embedded })
}

/** Facts that depend only on the bytes and name of a file. */
type FileContent = MediaReading & { size: number; hash: Hash }

/** Stores the bytes of a file and reads its metadata, or takes the result of an earlier import. */
async function readContent(
  { root, options }: ProjectReading,
  { path, fingerprint, identity }: WalkedFile,
): Promise<FileContent | Problem> {
  const cached = fingerprint === undefined ? undefined : await options.readCache.find(path, fingerprint)
  if (cached !== undefined) return JSON.parse(cached)
  const absolute = join(root, path)
  const chunks = fileChunks(absolute, identity)
  try {
    const hash = await options.writer.file(chunks)
    const { size, stat } = chunks
    const content = { size, hash, ...(await options.media.read(absolute, filename(path), stat && versionOf(stat))) }
    // Cached only if the file read is the file walked.
    if (fingerprint !== undefined && stat && currentFingerprintOf(stat) === fingerprint && isLasting(content))
      await options.readCache.keep(path, fingerprint, { kind: 'file', content: hash, reading: JSON.stringify(content) })
    return content
  } catch (error) {
    return unreadableProblem(error, path)
  }
}

/** Whether another attempt would give the same result: a font or picture may have lacked time or memory. */
function isLasting({ problems }: MediaReading): boolean {
  return problems.every(({ rule }) => rule !== 'font-unreadable' && rule !== 'picture-unreadable')
}
