import { join } from 'node:path'
import { errorCode } from '../../base/error.ts'
import { quote } from '../../base/text.ts'
import type { YamlNode } from '../../intake/yaml/yaml.ts'
import type { TrustSetting } from '../../settings/values.ts'
import { SettingError } from '../../settings.ts'
import { readPlainFile } from './plain-file.ts'

/** The contents of `housestyle.yaml`: settings keyed by flag name, and the list `trust:`. */
export type SettingsFile = { file: Record<string, string>; trust: TrustSetting[] }

/**
 * Reads `housestyle.yaml` in a folder; empty if there is no such file. The YAML is parsed as strictly as in a brand
 * folder, because it may come from the same repository.
 *
 * @throws {SettingError} if something in it is wrong
 */
export async function readSettingsFile(folder: string): Promise<SettingsFile> {
  const text = readIfExists(join(folder, NAME))
  if (text === undefined) return { file: {}, trust: [] }
  const { readYaml } = await import('../../intake/yaml/yaml.ts')
  const { root, problems } = readYaml(text)
  const [problem] = problems
  if (problem) throw new SettingError(`${NAME}: line ${problem.line}: ${problem.message}`)
  if (!root || root.kind === 'empty') return { file: {}, trust: [] }
  const { trust, ...settings } = mapping(root, 'the file')
  const isList = trust?.kind === 'list' && trust.items.some(({ kind }) => kind === 'mapping')
  const rest = trust === undefined || isList ? settings : { ...settings, trust }
  return {
    file: Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, textOf(key, value)])),
    trust: isList ? trust.items.map(trustEntry) : [],
  }
}

const NAME = 'housestyle.yaml'
const TEXTS = ['audience', 'jwks', 'scopeClaim', 'typ'] as const
const KEYS: readonly string[] = ['issuer', 'workspace', 'scopes', ...TEXTS]

function trustEntry(value: YamlNode): TrustSetting {
  const entry = mapping(value, 'an entry of trust:')
  const unknown = Object.keys(entry).find(key => !KEYS.includes(key))
  if (unknown !== undefined)
    throw new SettingError(
      `${NAME}: line ${value.line}: trust: there is no ${quote(unknown)}: write ${KEYS.join(', ')}`,
    )
  const { issuer, workspace, scopes } = entry
  if (issuer?.kind !== 'text' || workspace?.kind !== 'text')
    throw new SettingError(`${NAME}: line ${value.line}: trust: each entry needs an issuer and a workspace`)
  const texts = TEXTS.flatMap(key => (entry[key] ? [[key, textOf(`trust: ${key}`, entry[key])]] : []))
  const mapped = scopes ? { scopes: scopeMapping(scopes) } : {}
  return { issuer: issuer.text, workspace: workspace.text, ...Object.fromEntries(texts), ...mapped }
}

function scopeMapping(value: YamlNode): Record<string, string> {
  const scopes = Object.entries(mapping(value, 'trust: scopes'))
  return Object.fromEntries(scopes.map(([theirs, ours]) => [theirs, textOf(`trust: scopes: ${theirs}`, ours, ' ')]))
}

function mapping(node: YamlNode, what: string): Record<string, YamlNode> {
  if (node.kind !== 'mapping')
    throw new SettingError(`${NAME}: line ${node.line}: ${what} is not a mapping: write name: value lines`)
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, value]))
}

function textOf(key: string, value: YamlNode, separator = ','): string {
  if (value.kind === 'text') return value.text
  const items = value.kind === 'list' ? value.items : []
  const texts = items.flatMap(item => (item.kind === 'text' ? [item.text] : []))
  if (texts.length > 0 && texts.length === items.length) return texts.join(separator)
  throw new SettingError(`${NAME}: line ${value.line}: ${quote(key)} takes a string or a list of strings`)
}

function readIfExists(path: string): string | undefined {
  try {
    return readPlainFile(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SettingError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}
