import { resolve } from 'node:path'
import { withoutUndefined } from '../../base/object.ts'
import { SETTINGS } from '../../settings/table.ts'
import { readSettings, removedSettingWarnings, type Settings } from '../../settings.ts'
import type { Arguments } from '../command.ts'
import type { Io } from '../io.ts'
import { visible } from '../output/text.ts'
import { nearestFolder, SETTINGS_FILE, STORE_FOLDER } from './nearest-folder.ts'
import { readPlainFile } from './plain-file.ts'
import { readSettingsFile } from './settings-file.ts'

/** The settings of a command, whether a log level was given, and a callback for the creation of a store. */
export type CommandSettings = Settings & { isLogGiven: boolean; storeCreated?: (folder: string) => void }

/**
 * The settings of a command: from flags, the environment, the nearest `housestyle.yaml` and defaults. A data folder in
 * the file is relative to the file; by default it is the nearest store. The nearest folder that has either decides.
 */
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
