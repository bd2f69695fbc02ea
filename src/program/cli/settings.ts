import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isWorkspaceId } from '#brand/ids.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { errorCode, errorMessage } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { type GitSource, gitUrlForm, parseGitUrl } from '#platform/settings/git-source.ts'
import { parseHosts } from '#platform/settings/hosts.ts'
import { ignoredSettingWarnings, readSettings, SettingError, type Settings } from '#platform/settings/settings.ts'
import { SETTINGS, type Setting } from '#platform/settings/table.ts'
import type { TrustSetting } from '#platform/settings/values.ts'
import type { Arguments, Io } from './command.ts'
import { visible } from './output/text.ts'

export type CommandSettings = Settings & { isLogGiven: boolean; storeCreated?: (folder: string) => void }

/**
 * Settings from flags, variables, the nearest `housestyle.yaml` and defaults. The paths in `data` and `gitKnownHosts` are
 * relative to the working folder if a flag or variable gives them, and otherwise to the folder of `housestyle.yaml`.
 */
export async function loadSettings({ options }: Arguments, io: Io): Promise<CommandSettings> {
  const flags = flagTexts(options)
  const readSecret = (path: string) => readPlainFile(resolve(io.folder, path))
  /** The value of a flag or variable. */
  const given = (name: 'data' | 'gitKnownHosts' | 'log') => flags[name] ?? io.environment[SETTINGS[name].environment]
  const isDataGiven = given('data') !== undefined
  const nearest = nearestFolder(isDataGiven ? [SETTINGS_FILE] : [SETTINGS_FILE, STORE_FOLDER], io) ?? io.folder
  const settingsFile = await readSettingsFile(nearest)
  const settings = readSettings({ flags, environment: io.environment, ...settingsFile, readSecret })
  for (const warning of ignoredSettingWarnings(io.environment)) io.err(`warning: ${warning}\n`)
  const log = given('log') ?? settingsFile.file.log
  const knownHosts = settings.gitKnownHosts
  const gitKnownHosts = knownHosts && resolve(given('gitKnownHosts') === undefined ? nearest : io.folder, knownHosts)
  const commandSettings = {
    ...settings,
    ...withoutUndefined({ gitKnownHosts }),
    data: resolve(isDataGiven ? io.folder : nearest, settings.data),
    isLogGiven: log !== undefined,
  }
  if (options.json === true) return commandSettings
  return { ...commandSettings, storeCreated: folder => io.err(`made the store ${visible(folder)}\n`) }
}

/** The values of the flags, keyed by the names of settings. A switch without a value, such as `--edit`, is on. */
function flagTexts(options: Arguments['options']): Partial<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(SETTINGS).flatMap(name => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value]] : value === true ? [[name, 'on']] : []
    }),
  )
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
  // Another device number is another file system.
  for (let at = folder, stat = start; stat && stat.dev === start?.dev; at = dirname(at), stat = statOf(at)) {
    const paths = entries.map(name => join(at, name)).filter(isEntry)
    for (const path of paths) assertOwn(path, userId)
    if (paths.length > 0) return at
    const isHome = home && stat.dev === home.dev && stat.ino === home.ino
    if (isHome || existsSync(join(at, '.git')) || dirname(at) === at) return undefined
  }
  return undefined
}

/** The default folder of a store; `housestyle.yaml` may name another. */
const STORE_FOLDER = '.housestyle'
const SETTINGS_FILE = 'housestyle.yaml'

/** Whether a settings file or the folder of a store is at a path. */
function isEntry(path: string): boolean {
  const stat = statOf(path)
  return stat !== undefined && (path.endsWith(SETTINGS_FILE) || stat.isDirectory())
}

function assertOwn(path: string, userId: number | undefined): void {
  if (userId === undefined) return
  // Both a link itself and its target must belong to the user.
  const owner = [lstatSync(path), statSync(path)].map(({ uid }) => uid).find(uid => uid !== userId)
  if (owner === undefined) return
  const fix = path.endsWith(SETTINGS_FILE) ? 'change its owner, or work in another folder' : STORE_FIX
  throw new SettingError(`${visible(path)} belongs to another user (${owner}, not ${userId}) and is not used: ${fix}`)
}

const STORE_FIX = 'name your own store with --data, or this one if you trust it, or change its owner'

function statOf(path: string): Stats | undefined {
  return attempt(() => statSync(path))
}

/** The contents of `housestyle.yaml`: settings keyed by flag name, with `hosts:` as pairs, and the lists `trust:` and `git:`. */
export type SettingsFile = { file: Record<string, string>; trust: TrustSetting[]; git: GitSource[] }

/** Reads `housestyle.yaml` in a folder, if it exists, as strictly as a brand folder. @throws {SettingError} */
export async function readSettingsFile(folder: string): Promise<SettingsFile> {
  const text = readIfExists(join(folder, SETTINGS_FILE))
  if (text === undefined) return { file: {}, trust: [], git: [] }
  const { readYaml } = await import('#intake/yaml/yaml.ts')
  const { root, problems } = readYaml(text)
  const [problem] = problems
  if (problem) throw wrongAt(problem.line, problem.message)
  if (!root || root.kind === 'empty') return { file: {}, trust: [], git: [] }
  const entries = Object.entries(mapping(root, 'the file'))
  const lists = new Map(entries.flatMap(([key, value]) => (isEntryList(key, value) ? [[key, value.items]] : [])))
  const settings = entries.filter(([key]) => !lists.has(key))
  return {
    file: Object.fromEntries(settings.map(([key, value]) => [key, settingText(key, value)])),
    trust: (lists.get('trust') ?? []).map(trustEntry),
    git: (lists.get('git') ?? []).map(gitEntry),
  }
}

/** Whether a value is one of the lists whose items are mappings. A `git:` that is a string or a list of them is a setting. */
function isEntryList(key: string, value: YamlNode): value is Extract<YamlNode, { kind: 'list' }> {
  return ['trust', 'git'].includes(key) && value.kind === 'list' && value.items.some(({ kind }) => kind === 'mapping')
}

function gitEntry(value: YamlNode): GitSource {
  const { url, ref, path, workspace, publish } = entryOf('git', value, GIT_KEYS)
  if (!url) throw wrongAt(value.line, 'git: each entry needs a url')
  return {
    url: gitValue('url', url, { parse: parseGitUrl, form: gitUrlForm }),
    ...withoutUndefined({
      ref: ref && gitValue('ref', ref, SETTINGS.ref),
      // An empty path is the root of the repository, like a missing one.
      path: (path && gitValue('path', path, SETTINGS.path)) || undefined,
      workspace: workspace && gitValue('workspace', workspace, WORKSPACE),
    }),
    publish: publish ? gitValue('publish', publish, SETTINGS.publish) : 'auto',
  }
}

const GIT_KEYS = ['url', 'ref', 'path', 'workspace', 'publish']
const WORKSPACE = {
  parse: (text: string) => (isWorkspaceId(text) ? text : undefined),
  form: 'a workspace id of a-z, 0-9 and single hyphens, at most 63 characters',
}

/** The value of a key in an entry of `git:`. A message does not show an address with `@`, which may have a password. */
function gitValue<Value>(
  key: string,
  node: YamlNode,
  { parse, form }: Pick<Setting, 'form'> & { parse: (text: string) => Value | undefined },
): Value {
  const text = node.kind === 'text' ? node.text : ''
  const value = parse(text)
  if (value !== undefined) return value
  const shown = text.includes('@') ? 'its value' : quote(text)
  throw wrongAt(node.line, `git: ${key}: ${shown} is not ${typeof form === 'string' ? form : form(text)}`)
}

/** The values of an entry of a list, which has only these keys. */
function entryOf(list: string, value: YamlNode, keys: readonly string[]): Record<string, YamlNode> {
  const entry = mapping(value, `an entry of ${list}:`)
  const unknown = Object.keys(entry).find(key => !keys.includes(key))
  if (unknown === undefined) return entry
  throw wrongAt(value.line, `${list}: there is no ${quote(unknown)}: write ${keys.join(', ')}`)
}

function trustEntry(value: YamlNode): TrustSetting {
  const entry = entryOf('trust', value, TRUST_KEYS)
  const { issuer, workspace, scopes } = entry
  if (issuer?.kind !== 'text' || workspace?.kind !== 'text')
    throw wrongAt(value.line, 'trust: each entry needs an issuer and a workspace')
  const texts = TRUST_TEXTS.flatMap(key => (entry[key] ? [[key, settingText(`trust: ${key}`, entry[key])]] : []))
  const mapped = scopes ? { scopes: scopeMapping(scopes) } : {}
  return { issuer: issuer.text, workspace: workspace.text, ...Object.fromEntries(texts), ...mapped }
}

const TRUST_TEXTS = ['audience', 'jwks', 'scopeClaim', 'typ'] as const
const TRUST_KEYS: readonly string[] = ['issuer', 'workspace', 'scopes', ...TRUST_TEXTS]

function scopeMapping(value: YamlNode): Record<string, string> {
  const scopes = Object.entries(mapping(value, 'trust: scopes'))
  return Object.fromEntries(
    scopes.map(([theirs, ours]) => [theirs, settingText(`trust: scopes: ${theirs}`, ours, ' ')]),
  )
}

function mapping(node: YamlNode, what: string): Record<string, YamlNode> {
  if (node.kind !== 'mapping') throw wrongAt(node.line, `${what} is not a mapping: write name: value lines`)
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, value]))
}

/** The text of a setting: a string, the strings of a list with separators, or the pairs of `hosts:` (`host=place,…`). */
function settingText(key: string, value: YamlNode, separator = ','): string {
  if (value.kind === 'text') return value.text
  if (key === 'hosts' && value.kind === 'mapping')
    return value.entries.map(entry => hostEntry(entry.key, entry.value)).join(',')
  const items = value.kind === 'list' ? value.items : []
  const texts = items.filter(item => item.kind === 'text').map(item => item.text)
  if (texts.length > 0 && texts.length === items.length) return texts.join(separator)
  const form = key === 'hosts' ? 'a map as in brand.example.com: acme/guidelines' : 'a string or a list of strings'
  throw wrongAt(value.line, `${quote(key)} takes ${form}`)
}

function wrongAt(line: number | null, message: string): SettingError {
  return new SettingError(`${SETTINGS_FILE}: line ${line}: ${message}`)
}

function readIfExists(path: string): string | undefined {
  try {
    return readPlainFile(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SettingError(`${path} cannot be read: ${errorMessage(error)}`, { cause: error })
  }
}

/** Reads a regular file of at most 1 MiB, and throws for anything else: a pipe might never end. */
export function readPlainFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (stat.isFile() && stat.size <= MAX_BYTES) return readFileSync(file, 'utf8')
    throw new Error('it is not a regular file of at most 1 MiB')
  } finally {
    closeSync(file)
  }
}

const MAX_BYTES = 1 << 20

function hostEntry(host: string, value: YamlNode): string {
  const entry = `${host}=${settingText(`hosts: ${host}`, value)}`
  if (parseHosts(entry)) return entry
  throw new SettingError(`${SETTINGS_FILE}: line ${value.line}: hosts: ${quote(entry)} is not ${SETTINGS.hosts.form}`)
}
