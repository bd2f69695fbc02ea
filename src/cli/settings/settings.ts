import { existsSync, lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { withoutUndefined } from '../../base/object.ts'
import { readSettings, removedSettingWarnings, SettingError, type Settings } from '../../settings/settings.ts'
import { SETTINGS } from '../../settings/table.ts'
import type { Arguments, Io } from '../command.ts'
import { visible } from '../output/text.ts'
import { readPlainFile, readSettingsFile } from './settings-file.ts'

/** The settings of a command, whether a log level was given, and a callback for the creation of a store. */
export type CommandSettings = Settings & { isLogGiven: boolean; storeCreated?: (folder: string) => void }

/** Settings from flags, variables, the nearest `housestyle.yaml` and defaults. Its data folder is relative to it. */
export async function loadSettings({ options }: Arguments, io: Io): Promise<CommandSettings> {
  const flags = Object.fromEntries(
    Object.keys(SETTINGS).flatMap(name => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value]] : value === true ? [[name, 'on']] : []
    }),
  )
  const readSecret = (path: string) => readPlainFile(resolve(io.folder, path))
  const isGiven = (name: 'data' | 'gitKnownHosts') =>
    (flags[name] ?? io.environment[SETTINGS[name].environment]) !== undefined
  const isNamed = isGiven('data')
  const nearest = nearestFolder(isNamed ? [SETTINGS_FILE] : [SETTINGS_FILE, STORE_FOLDER], io) ?? io.folder
  const settingsFile = await readSettingsFile(nearest)
  const settings = readSettings({ flags, environment: io.environment, ...settingsFile, readSecret })
  for (const warning of removedSettingWarnings({ environment: io.environment, ...settingsFile }))
    io.err(`warning: ${warning}\n`)
  const log = flags.log ?? io.environment[SETTINGS.log.environment] ?? settingsFile.file.log
  const { gitKnownHosts: hosts } = settings
  const gitKnownHosts = hosts && resolve(isGiven('gitKnownHosts') ? io.folder : nearest, hosts)
  const made = {
    ...settings,
    ...withoutUndefined({ gitKnownHosts }),
    data: resolve(isNamed ? io.folder : nearest, settings.data),
    isLogGiven: log !== undefined,
  }
  if (options.json === true) return made
  return { ...made, storeCreated: folder => io.err(`made the store ${visible(folder)}\n`) }
}

/**
 * The nearest folder, from the working folder upwards, that contains a store or `housestyle.yaml`. Like git, the search
 * stops at the home folder, the root of a repository or a file system boundary. It refuses entries owned by another user,
 * because they could make this user run untrusted settings.
 *
 * @throws {SettingError} if the nearest one belongs to another user
 */
function nearestFolder(entries: readonly string[], { folder, environment, userId }: Io): string | undefined {
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
const STORE_FOLDER = '.housestyle'
const SETTINGS_FILE = 'housestyle.yaml'

function isThere(path: string): boolean {
  const stat = statOf(path)
  return stat !== undefined && (path.endsWith(SETTINGS_FILE) || stat.isDirectory())
}

function assertOwn(path: string, userId: number | undefined): void {
  if (userId === undefined) return
  const owner = [lstatSync(path), statSync(path)].map(({ uid }) => uid).find(uid => uid !== userId)
  if (owner === undefined) return
  const what = path.endsWith(SETTINGS_FILE) ? 'change its owner, or work in another folder' : FIX
  throw new SettingError(`${visible(path)} belongs to another user (${owner}, not ${userId}) and is not used: ${what}`)
}

const FIX = 'name your own store with --data, or this one if you trust it, or change its owner'

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
