import { join } from 'node:path'
import type { BrandFile } from '../brand/file.ts'
import { remark } from './findings.ts'
import { inFolder } from './project-folder.ts'
import type { ProjectReading } from './project-reading.ts'
import { unreadable, type WalkedFile } from './walk.ts'

/** A file as it was read, before what others say of it is added. */
export type ReadFile = BrandFile & {
  /** Text embedded in a picture. */
  embedded?: string
}

/** How many files are read at once. */
const AT_ONCE = 4

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
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return read.filter(file => file !== undefined)
}

async function readFile(
  { root, project, findings, options }: ProjectReading,
  { path, size }: WalkedFile,
): Promise<ReadFile | undefined> {
  const { maxFile } = options.caps
  if (size > maxFile) {
    const message = `has ${size} bytes, and a file may have ${maxFile}: make it smaller, or raise --max-file`
    findings.add(project.id, path, remark('too-large', message))
    return undefined
  }
  try {
    const absolute = join(root, path)
    const { hash, size: read } = await options.sink.file(absolute)
    const media = await options.media.read(absolute, path.slice(path.lastIndexOf('/') + 1))
    findings.add(project.id, path, ...media.remarks)
    return {
      path: path.slice(inFolder(project.folder, '').length),
      size: read,
      contentType: media.contentType,
      hash,
      ...(media.metadata && { metadata: media.metadata }),
      ...(media.description !== undefined && { embedded: media.description }),
    }
  } catch (error) {
    if (options.signal.aborted || !(error instanceof Error && 'syscall' in error)) throw error
    findings.add(project.id, path, remark('unreadable', unreadable(error)))
    return undefined
  }
}
