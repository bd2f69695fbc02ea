import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError, type TrustSetting } from '../settings.ts'

/** What `housestyle.yaml` in a folder says; nothing where there is none. */
export type SettingsFile = { file: Record<string, string>; trust: TrustSetting[] }

/**
 * Reads `housestyle.yaml`: settings by the names of their flags, and the list `trust:`.
 *
 * @throws {SettingError} which says what is wrong.
 */
export async function readSettingsFile(folder: string): Promise<SettingsFile> {
  const text = readIfThere(join(folder, NAME))
  if (text === undefined) return { file: {}, trust: [] }
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { schema: 'failsafe' })
  const problem = document.errors[0]
  if (problem) throw new SettingError(`${NAME}: ${problem.message.split('\n')[0]}`)
  const values: unknown = document.toJS({ maxAliasCount: 0 })
  if (values === null || values === '') return { file: {}, trust: [] }
  const { trust, ...settings } = mapping(values, 'the file')
  const isList = Array.isArray(trust) && trust.some(entry => typeof entry !== 'string')
  const rest = trust === undefined || isList ? settings : { ...settings, trust }
  return {
    file: Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, textOf(key, value)])),
    trust: isList ? trust.map(trustEntry) : [],
  }
}

const NAME = 'housestyle.yaml'
const TEXTS = ['audience', 'jwks', 'scopeClaim', 'typ'] as const
const KEYS: readonly string[] = ['issuer', 'workspace', 'scopes', ...TEXTS]

function trustEntry(value: unknown): TrustSetting {
  const entry = mapping(value, 'an entry of trust:')
  const strange = Object.keys(entry).find(key => !KEYS.includes(key))
  if (strange !== undefined)
    throw new SettingError(`${NAME}: trust: there is no ${JSON.stringify(strange)}: write ${KEYS.join(', ')}`)
  const { issuer, workspace, scopes } = entry
  if (typeof issuer !== 'string' || typeof workspace !== 'string')
    throw new SettingError(`${NAME}: trust: each entry needs an issuer and a workspace`)
  const texts = TEXTS.flatMap(key => (entry[key] === undefined ? [] : [[key, textOf(`trust: ${key}`, entry[key])]]))
  const given = scopes === undefined ? {} : { scopes: scopeMapping(scopes) }
  return { issuer, workspace, ...Object.fromEntries(texts), ...given }
}

function scopeMapping(value: unknown): Record<string, string> {
  const scopes = mapping(value, 'trust: scopes')
  return Object.fromEntries(
    Object.entries(scopes).map(([theirs, ours]) => [theirs, textOf(`trust: scopes: ${theirs}`, ours, ' ')]),
  )
}

function mapping(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new SettingError(`${NAME}: ${what} is no mapping: write name: value lines`)
}

function textOf(key: string, value: unknown, separator = ','): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value.join(separator)
  throw new SettingError(`${NAME}: ${JSON.stringify(key)} takes a text or a list of texts`)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new SettingError(`${path} cannot be read: ${String(error)}`, { cause: error })
  }
}
