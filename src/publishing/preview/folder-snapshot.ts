import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '../../intake/folder/open-folder.ts'
import { codeOf } from '../../intake/folder/unreadable.ts'
import { isIgnored } from '../../intake/folder/walk.ts'
import { isPart } from '../../intake/project/project-folder.ts'

/** The state of a brand folder at one moment. */
export type FolderSnapshot = {
  /** Changes whenever a file is written, moved, added or removed. */
  digest: string
  /** The identity of each scanned folder, keyed by path. A different folder at the same path has another identity. */
  folders: ReadonlyMap<string, string>
}

/**
 * Takes a snapshot of everything that an import would read, without opening a file: names, sizes, times and inode
 * numbers. Undefined if there is no such folder. It blocks the event loop, so it runs in its own process.
 */
export function snapshotFolder(folder: string): FolderSnapshot | undefined {
  const root = realPathOf(folder)
  const stat = root === undefined ? undefined : statOf(root)
  if (root === undefined || typeof stat !== 'object' || !stat.isDirectory()) return undefined
  const scan: Scan = { digest: createHash('sha256'), folders: new Map([[root, identityOf(stat)]]) }
  scanFolder(scan, root, false, 0)
  return { digest: scan.digest.digest('hex'), folders: scan.folders }
}

/** The path of the folder with symbolic links resolved. */
function realPathOf(folder: string): string | undefined {
  try {
    return realpathSync(folder)
  } catch {
    return undefined
  }
}

type Scan = { digest: ReturnType<typeof createHash>; folders: Map<string, string> }

function scanFolder(scan: Scan, folder: string, isInPart: boolean, depth: number): void {
  for (const name of namesIn(scan, folder)) {
    if (isIgnored(name)) continue
    const path = join(folder, name)
    const stat = statOf(path)
    if (typeof stat === 'string' || !stat.isDirectory()) {
      scan.digest.update(`${path}\0${typeof stat === 'string' ? stat : fingerprintOf(stat)}\0`)
      continue
    }
    // Apart from pages/, styles/ and files/, an import reads only names, and only at the first level.
    const isRead = isInPart || isPart(name)
    scan.digest.update(`${path}\0${identityOf(stat)}\0`)
    if (!isRead && depth > 0) continue
    scan.folders.set(path, identityOf(stat))
    scanFolder(scan, path, isRead, depth + 1)
  }
}

function namesIn({ digest }: Scan, path: string): string[] {
  try {
    using folder = openFolder(path)
    return readdirSync(folder.place).sort()
  } catch (error) {
    digest.update(`${path}\0${codeOf(error)}\0`)
    return []
  }
}

function statOf(path: string): BigIntStats | string {
  try {
    return lstatSync(path, { bigint: true })
  } catch (error) {
    return codeOf(error)
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

function fingerprintOf(stat: BigIntStats): string {
  return `${identityOf(stat)} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
}
