import { OperationalError } from '../base/error.ts'
import { withoutUndefined } from '../base/object.ts'
import { withoutCredentials } from '../base/server-url.ts'
import { quote } from '../base/text.ts'
import type { GitSource } from './git-source.ts'
import { type Environment, SETTINGS, type Setting, type SettingName } from './table.ts'
import type { TrustSetting } from './values.ts'

/** All settings, parsed. A setting with an `unset` string is optional. */
export type Settings = {
  [Name in keyof Table as Table[Name] extends Optional ? never : Name]: Value<Name>
} & {
  [Name in keyof Table as Table[Name] extends Optional ? Name : never]?: Value<Name>
}

type Table = typeof SETTINGS
type Optional = { unset: string }
type Value<Name extends SettingName> = Exclude<ReturnType<Table[Name]['parse']>, undefined>

export class SettingError extends OperationalError {
  constructor(message: string, options?: ErrorOptions) {
    super('setting_invalid', message, options)
  }
}

export type SettingSources = {
  flags: Readonly<Partial<Record<string, string>>>
  environment: Environment
  /** By flag name without the leading hyphens. */
  file: Readonly<Partial<Record<string, string>>>
  trust: readonly TrustSetting[]
  git?: readonly GitSource[]
  /** Reads the file that a `…_FILE` variable names. */
  readSecret: (path: string) => string
}

/**
 * Reads all settings. A flag overrides an environment variable, which overrides housestyle.yaml, which overrides the
 * default.
 *
 * @throws {SettingError} for the first wrong value, with its source and the valid form.
 */
export function readSettings(sources: SettingSources): Settings {
  for (const key of Object.keys(sources.file)) {
    if (!Object.values(SETTINGS).some(({ flag }) => flag === `--${key}`))
      throw new SettingError(`housestyle.yaml: there is no setting ${JSON.stringify(key)}`)
  }
  const settings = Object.fromEntries(
    Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) => readSetting(name, setting, sources)),
  )
  if (!isComplete(settings)) throw new Error('a setting without `unset` has no value')
  const { publicUrl, hosts } = settings
  if (publicUrl !== undefined && hosts.has(new URL(publicUrl).hostname))
    throw new SettingError(`hosts: ${new URL(publicUrl).hostname} is the host of the public URL: name another one`)
  const trust = isOverridden('trust', sources) ? settings.trust : [...settings.trust, ...sources.trust]
  return { ...settings, trust, git: gitSources(settings, sources) }
}

/** Whether a flag or a variable replaces the values of a setting in housestyle.yaml. */
function isOverridden(name: SettingName, { flags, environment }: SettingSources): boolean {
  return (flags[name] ?? environment[SETTINGS[name].environment]) !== undefined
}

/** The repository of `--git` with its other settings, or those of the list in housestyle.yaml. */
function gitSources({ git: [named], ref, path, publish }: Settings, sources: SettingSources): readonly GitSource[] {
  if (named)
    return [
      { url: named.url, ...withoutUndefined({ ref, path: path || undefined }), publish: publish ?? named.publish },
    ]
  // These settings without a repository belong to nothing.
  const stray = GIT_DETAILS.find(name => ({ ref, path, publish })[name] !== undefined)
  if (stray !== undefined) {
    const { flag } = SETTINGS[stray]
    const fix = `name a repository with --git, or write ${stray}: into its entry of git: in housestyle.yaml`
    throw new SettingError(`${flag}: it belongs to --git, which is not given: ${fix}`)
  }
  return isOverridden('git', sources) ? [] : (sources.git ?? [])
}

const GIT_DETAILS = ['ref', 'path', 'publish'] as const

/** Returns a warning for each value that Kubernetes sets for its Services, and that is not read. */
export function ignoredSettingWarnings(environment: SettingSources['environment']): string[] {
  return Object.values(SETTINGS).flatMap(({ environment: variable }) => {
    const text = environment[variable] ?? ''
    const why = 'is the address of a Service, which Kubernetes sets and this program ignores'
    return isServiceLink(variable, text)
      ? [`${variable}: ${quote(text)} ${why}: set enableServiceLinks: false in the pod`]
      : []
  })
}

/**
 * Whether a variable is the one that Kubernetes sets for the Service `housestyle`, or `housestyle-…`, as Docker did for
 * links: `HOUSESTYLE_PORT=tcp://10.0.0.1:80` (kubernetes.io/docs/concepts/services-networking/service).
 */
function isServiceLink(variable: string, text: string): boolean {
  return variable.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\/(?:[\d.]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(text)
}

/** The entry of a setting with its parsed value, in a list; empty if an optional setting is not given. */
function readSetting(name: string, setting: Setting, sources: SettingSources): [name: string, value: unknown][] {
  const { text, from } = findText(name, setting, sources)
  if (text === setting.unset) return []
  const value = setting.parse(text, sources.environment)
  if (value !== undefined) return [[name, value]]
  const quoted = setting.isSecret ? 'its value' : JSON.stringify(withoutCredentials(text))
  throw new SettingError(
    `${from}: ${quoted} is not ${typeof setting.form === 'string' ? setting.form : setting.form(text)}`,
  )
}

/** Each value comes from the parser in its row, so only presence needs a check. */
function isComplete(values: Readonly<Record<string, unknown>>): values is Settings {
  return Object.entries<Setting>(SETTINGS).every(
    ([name, { unset }]) => unset !== undefined || Object.hasOwn(values, name),
  )
}

/** The text of a setting, and its source for messages: `--port`, `HOUSESTYLE_PORT` or `housestyle.yaml: port`. */
function findText(name: string, setting: Setting, sources: SettingSources): { text: string; from: string } {
  const flag = sources.flags[name]
  if (flag !== undefined) return { text: flag, from: setting.flag }
  const variable = sources.environment[setting.environment]
  if (variable !== undefined && !isServiceLink(setting.environment, variable))
    return { text: variable, from: setting.environment }
  const secretFile = setting.isSecret && sources.environment[`${setting.environment}_FILE`]
  if (secretFile) return { text: readSecretFile(secretFile, setting, sources), from: `${setting.environment}_FILE` }
  const key = setting.flag.slice('--'.length)
  const fileText = sources.file[key]
  if (fileText !== undefined) return { text: fileText, from: `housestyle.yaml: ${key}` }
  return { text: setting.default, from: setting.flag }
}

function readSecretFile(path: string, { environment }: Setting, { readSecret }: SettingSources): string {
  try {
    return readSecret(path).trim()
  } catch (error) {
    throw new SettingError(`${environment}_FILE: ${JSON.stringify(path)} cannot be read`, { cause: error })
  }
}
