import { join } from 'node:path'
import { settleAll } from '../../base/promise.ts'
import { type BrandFile, filename } from '../../brand/file.ts'
import type { Hash } from '../../brand/ids.ts'
import { stateOf } from '../cache/read-cache.ts'
import { filePieces } from '../folder/file-chunks.ts'
import { problem } from '../folder/findings.ts'
import { versionOf } from '../folder/open-file.ts'
import { Unreadable, unreadableProblem } from '../folder/unreadable.ts'
import type { WalkedFile } from '../folder/walk.ts'
import type { MediaReading } from '../media/media.ts'
import type { ProjectReading } from '../project/project-context.ts'
import { inFolder } from '../project/project-folder.ts'

/** A file as it was read, before files.yaml and alt texts add to it. */
export type ReadFile = BrandFile & {
  /** Text embedded in a picture. */
  embedded?: string
}

/** How many files are read at once: enough that the processes for fonts and pictures never wait for one. */
const MAX_AT_ONCE = 48

/** Reads the files of a project, several at once; one that cannot be read is left out with a finding. Gives them by path. */
export async function readFiles(reading: ProjectReading, files: readonly WalkedFile[]): Promise<ReadFile[]> {
  const read: (ReadFile | undefined)[] = Array.from({ length: files.length })
  let next = 0
  const work = async () => {
    while (next < files.length) {
      reading.options.signal.throwIfAborted()
      const at = next++
      const file = files[at]
      if (file) read[at] = await readFile(reading, file)
      reading.advance()
    }
  }
  await settleAll(Array.from({ length: MAX_AT_ONCE }, work))
  return read.filter(file => file !== undefined)
}

async function readFile(reading: ProjectReading, file: WalkedFile): Promise<ReadFile | undefined> {
  const { project, findings, options } = reading
  const { maxFile } = options.caps
  if (file.size > maxFile) {
    const message = `has ${file.size} bytes, and a file may have ${maxFile}: make it smaller, or raise --max-file`
    findings.add(project.id, file.path, problem('too-large', message))
    return undefined
  }
  const content = await readContent(reading, file)
  if (!content) return undefined
  const { size, hash, contentType, metadata, description, problems } = content
  findings.add(project.id, file.path, ...problems)
  return {
    path: file.path.slice(inFolder(project.folder, '').length),
    size,
    contentType,
    hash,
    ...(metadata && { metadata }),
    ...(description !== undefined && { embedded: description }),
  }
}

/** What follows from the bytes of a file and its name. */
type FileContent = MediaReading & { size: number; hash: Hash }

async function readContent(
  { root, project, findings, options }: ProjectReading,
  { path, fingerprint, identity }: WalkedFile,
): Promise<FileContent | undefined> {
  const known = fingerprint === undefined ? undefined : await options.readCache.find(path, fingerprint)
  if (known !== undefined) return JSON.parse(known)
  const absolute = join(root, path)
  const pieces = filePieces(absolute, identity)
  try {
    const hash = await options.writer.file(pieces)
    const { size, stat } = pieces
    const content = { size, hash, ...(await options.media.read(absolute, filename(path), stat && versionOf(stat))) }
    if (fingerprint !== undefined && stat && stateOf(stat) === fingerprint && isLasting(content))
      await options.readCache.keep(path, fingerprint, { kind: 'file', content: hash, reading: JSON.stringify(content) })
    return content
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    findings.add(project.id, path, unreadableProblem(error, path))
    return undefined
  }
}

/** Whether another attempt would give the same: what could not be read may have lacked time or memory. */
function isLasting({ problems }: MediaReading): boolean {
  return problems.every(({ rule }) => rule === 'type-mismatch')
}
