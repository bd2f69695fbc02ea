import { existsSync, lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SettingError } from '../../settings.ts'
import type { Io } from '../io.ts'
import { visible } from '../output/text.ts'

/**
 * The nearest folder upwards from the working folder that has one of these entries: a store, or `housestyle.yaml`. As
 * git does, the search ends with the home folder, the root of a repository, or the border of a file system, and what
 * another user owns is refused, since it could make this user run what the other one wants.
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

/** The folder of a store by default; `housestyle.yaml` may name another. */
export const STORE_FOLDER = '.housestyle'
export const SETTINGS_FILE = 'housestyle.yaml'

function isThere(path: string): boolean {
  const stat = statOf(path)
  return stat !== undefined && (path.endsWith(SETTINGS_FILE) || stat.isDirectory())
}

/** A link is held to its own owner as well as to that of what it leads to. */
function assertOwn(path: string, userId: number | undefined): void {
  if (userId === undefined) return
  const owner = [lstatSync(path), statSync(path)].map(({ uid }) => uid).find(uid => uid !== userId)
  if (owner === undefined) return
  const what = path.endsWith(SETTINGS_FILE) ? 'change its owner, or work in another folder' : FIX
  throw new SettingError(`${visible(path)} belongs to another user (${owner}, not ${userId}) and is not used: ${what}`)
}

const FIX = 'name a store of yours with --data, or this one if you trust it, or change its owner'

/** Undefined also for what this user may not look at. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
