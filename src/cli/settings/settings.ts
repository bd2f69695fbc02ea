import { resolve } from 'node:path'
import { readSettings, SETTINGS, type Settings } from '../../settings.ts'
import type { Arguments } from '../command.ts'
import type { Io } from '../io.ts'
import { readPlainFile } from './plain-file.ts'
import { readSettingsFile } from './settings-file.ts'

/** The settings of a command, from its flags, the environment, `housestyle.yaml` in the working folder and the defaults. */
export async function loadSettings({ options }: Arguments, io: Io): Promise<Settings> {
  const flags = Object.fromEntries(
    Object.keys(SETTINGS).flatMap(name => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  const readSecret = (path: string) => readPlainFile(resolve(io.folder, path))
  const written = await readSettingsFile(io.folder)
  const settings = readSettings({ flags, environment: io.environment, ...written, readSecret })
  return { ...settings, data: resolve(io.folder, settings.data) }
}
