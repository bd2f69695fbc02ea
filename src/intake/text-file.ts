import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Findings, remark } from './findings.ts'
import { readUtf8 } from './utf8.ts'
import { codeOf, unreadable } from './walk.ts'

/** The largest styles file, and the largest of the other YAML files, in bytes. */
const LARGEST_YAML = 4 << 20
/** The largest page, in bytes. */
export const LARGEST_PAGE = 1 << 20

/**
 * Reads a text file of a brand folder. Undefined where there is none, and, with a finding, where it is no plain file, too
 * large, not UTF-8 or cannot be read. Symbolic links are never followed.
 */
export async function readTextFile(
  root: string,
  path: string,
  project: string | null,
  findings: Findings,
  largest: number = LARGEST_YAML,
): Promise<string | undefined> {
  const bytes = await readBytes(join(root, path), largest)
  if (bytes === undefined) return undefined
  if (!(bytes instanceof Uint8Array)) {
    findings.add(project, path, bytes)
    return undefined
  }
  const decoded = readUtf8(bytes)
  if ('text' in decoded) return decoded.text
  findings.add(project, path, decoded.remark)
  return undefined
}

async function readBytes(path: string, largest: number): Promise<Uint8Array | ReturnType<typeof remark> | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = await file.stat()
    if (!stat.isFile()) return remark('not-followed', NOT_PLAIN)
    if (stat.size <= largest) return await file.readFile()
    return remark('too-large', `has ${stat.size} bytes, and a file of this kind may have ${largest}: split it`)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (codeOf(error) === 'ELOOP')
      return remark('not-followed', 'is a symbolic link and is left out: put the file itself in its place')
    if (codeOf(error) === 'ENXIO') return remark('not-followed', NOT_PLAIN)
    return remark('unreadable', unreadable(error))
  }
}

const NOT_PLAIN = 'is not a plain file and is left out: put the file itself in its place'
