import { join } from 'node:path'
import { type BrandFile, filename } from '../brand/file.ts'
import type { FileFacts } from './file-memory.ts'
import { remark } from './findings.ts'
import type { MediaReader } from './media.ts'
import { inFolder } from './project-folder.ts'
import type { ProjectReading } from './project-reading.ts'
import { hashOfFile } from './sink.ts'
import { codeOf, unreadable, type WalkedFile } from './walk.ts'

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
  const absolute = join(root, path)
  const read = () => factsOf(absolute, filename(path), options.media)
  const facts = await (options.remember?.(absolute, read) ?? read())
  if (typeof facts === 'string') {
    findings.add(project.id, path, remark('unreadable', unreadable(facts)))
    return undefined
  }
  const { bytes, media } = facts
  await options.sink.file(absolute, bytes.hash)
  findings.add(project.id, path, ...media.remarks)
  return {
    path: path.slice(inFolder(project.folder, '').length),
    ...{ size: bytes.size, contentType: media.contentType, hash: bytes.hash },
    ...(media.metadata && { metadata: media.metadata }),
    ...(media.description !== undefined && { embedded: media.description }),
  }
}

async function factsOf(path: string, name: string, media: MediaReader): Promise<FileFacts> {
  const bytes = await hashOfFile(path).catch(codeOf)
  return typeof bytes === 'string' ? bytes : { bytes, media: await media.read(path, name) }
}
