import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSettings, SETTINGS, SettingError, type Settings } from '../settings.ts'
import type { Given } from './command.ts'
import type { Io } from './io.ts'

/** The settings of a command: its flags, the environment, `housestyle.yaml` in the working folder, the defaults. */
export async function settingsOf({ options }: Given, io: Io): Promise<Settings> {
  const flags = Object.fromEntries(
    Object.keys(SETTINGS).flatMap(name => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  const readSecret = (path: string) => readFileSync(resolve(io.folder, path), 'utf8')
  const settings = readSettings({ flags, environment: io.environment, file: await readFile(io.folder), readSecret })
  return { ...settings, data: resolve(io.folder, settings.data) }
}

async function readFile(folder: string): Promise<Record<string, string>> {
  const text = readIfThere(join(folder, 'housestyle.yaml'))
  if (text === undefined) return {}
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { schema: 'failsafe' })
  const problem = document.errors[0]
  if (problem) throw new SettingError(`housestyle.yaml: ${problem.message.split('\n')[0]}`)
  const values: unknown = document.toJS({ maxAliasCount: 0 })
  if (values === null || values === '') return {}
  if (typeof values !== 'object' || Array.isArray(values))
    throw new SettingError('housestyle.yaml: write setting: value lines')
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, textOf(key, value)]))
}

function textOf(key: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value.join(',')
  throw new SettingError(`housestyle.yaml: ${JSON.stringify(key)} takes a text or a list of texts`)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new SettingError(`${path} cannot be read: ${String(error)}`, { cause: error })
  }
}
