import { existsSync, lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SettingError } from '../../settings.ts'
import type { Io } from '../io.ts'
import { visible } from '../output/text.ts'

/**
 * The nearest folder, from the working folder upwards, that contains a store or `housestyle.yaml`. Like git, the search
 * stops at the home folder, the root of a repository or a file system boundary. It refuses entries owned by another user,
 * because they could make this user run untrusted settings.
 *
 * @throws {SettingError} if the nearest one belongs to another user
 */
export function nearestFolder(entries: readonly string[], { folder, environment, userId }: Io): string | undefined {
  const home = environment.HOME ? statOf(environment.HOME) : undefined
  const start = statOf(folder)
  for (let at = folder, stat = start; stat && stat.dev === start?.dev; at = dirname(at), stat = statOf(at)) {
    const found = entries.map(name => join(at, name)).filter(isThere)
    for (const path of found) assertOwn(path, userId)
    if (found.length > 0) return at
    const isHome = home && stat.dev === home.dev && stat.ino === home.ino
    if (isHome || existsSync(join(at, '.git')) || dirname(at) === at) return undefined
  }
  return undefined
}

/** The default folder of a store; `housestyle.yaml` may name another. */
export const STORE_FOLDER = '.housestyle'
export const SETTINGS_FILE = 'housestyle.yaml'

function isThere(path: string): boolean {
  const stat = statOf(path)
  return stat !== undefined && (path.endsWith(SETTINGS_FILE) || stat.isDirectory())
}

/** Checks the owner of a symbolic link and of its target. */
function assertOwn(path: string, userId: number | undefined): void {
  if (userId === undefined) return
  const owner = [lstatSync(path), statSync(path)].map(({ uid }) => uid).find(uid => uid !== userId)
  if (owner === undefined) return
  const what = path.endsWith(SETTINGS_FILE) ? 'change its owner, or work in another folder' : FIX
  throw new SettingError(`${visible(path)} belongs to another user (${owner}, not ${userId}) and is not used: ${what}`)
}

const FIX = 'name your own store with --data, or this one if you trust it, or change its owner'

/** Also undefined if this user may not read the entry. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
