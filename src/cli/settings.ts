import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { quote } from '../brand/quote.ts'
import type { YamlNode } from '../intake/yaml.ts'
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
  const readSecret = (path: string) => readPlain(resolve(io.folder, path))
  const settings = readSettings({ flags, environment: io.environment, file: await readFile(io.folder), readSecret })
  return { ...settings, data: resolve(io.folder, settings.data) }
}

/** The settings file is as strict as a brand folder: it may come from the same repository. */
async function readFile(folder: string): Promise<Record<string, string>> {
  const text = readIfThere(join(folder, FILE))
  if (text === undefined) return {}
  const { readYaml } = await import('../intake/yaml.ts')
  const { root, remarks } = readYaml(text)
  const [problem] = remarks
  if (problem) throw new SettingError(`${FILE}: line ${problem.line}: ${problem.message}`)
  if (!root || root.kind === 'empty') return {}
  if (root.kind !== 'mapping') throw new SettingError(`${FILE}: write setting: value lines`)
  return Object.fromEntries(root.entries.map(({ key, value }) => [key, textOf(key, value)]))
}

const FILE = 'housestyle.yaml'

function textOf(key: string, value: YamlNode): string {
  if (value.kind === 'text') return value.text
  const items = value.kind === 'list' ? value.items : []
  const texts = items.flatMap(item => (item.kind === 'text' ? [item.text] : []))
  if (texts.length > 0 && texts.length === items.length) return texts.join(',')
  throw new SettingError(`${FILE}: line ${value.line}: ${quote(key)} takes a text or a list of texts`)
}

function readIfThere(path: string): string | undefined {
  try {
    return readPlain(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new SettingError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

/** The text of a plain file; never of a pipe or a device, which could be read for ever. */
function readPlain(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (stat.isFile() && stat.size <= LARGEST) return readFileSync(file, 'utf8')
    throw new Error('it is no plain file of at most 1 MiB')
  } finally {
    closeSync(file)
  }
}

const LARGEST = 1 << 20
