import { join } from 'node:path'
import { type BrandFile, filename } from '../brand/file.ts'
import { textOrder } from '../brand/text-order.ts'
import { remark } from './findings.ts'
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

/**
 * Reads the files of a project, several at once; one that cannot be read is left out with a finding. Gives them by path,
 * which is in NFC: file systems differ in how they write accents.
 */
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
  const known = read.filter(file => file !== undefined).sort((a, b) => textOrder(a.path, b.path))
  tellSame(reading, known)
  return known
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
  const bytes = await hashOfFile(absolute).catch(codeOf)
  if (typeof bytes === 'string') {
    findings.add(project.id, path, remark('unreadable', unreadable(bytes)))
    return undefined
  }
  await options.sink.file(absolute, bytes.hash)
  const media = await options.media.read(absolute, filename(path))
  findings.add(project.id, path, ...media.remarks)
  return {
    path: path.slice(inFolder(project.folder, '').length).normalize('NFC'),
    ...{ size: bytes.size, contentType: media.contentType, hash: bytes.hash },
    ...(media.metadata && { metadata: media.metadata }),
    ...(media.description !== undefined && { embedded: media.description }),
  }
}

/** Two names that differ only in how their accents are encoded are one address. */
function tellSame({ project, findings }: ProjectReading, files: readonly ReadFile[]): void {
  for (const [path, same] of Map.groupBy(files, file => file.path)) {
    const message = `${same.length} files have this name, which differ only in how accents are encoded: rename one`
    if (same.length > 1) findings.add(project.id, inFolder(project.folder, path), remark('id-taken', message))
  }
}
