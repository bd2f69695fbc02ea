import { hasRawPassword, isThisMachine, lowerScheme } from '../base/server-url.ts'

export type GitSource = {
  /** `https://…`, `ssh://…` or `user@host:path`; `http://…` only for this machine. It has no password. */
  url: string
  /** A branch, a tag, or a full name as in `refs/heads/main`; absent: the default branch. */
  ref?: string
  /** The brand folder in the repository: `brand/guide`; absent: its root. */
  path?: string
  /** The workspace, which overrides `id:` in workspace.yaml. */
  workspace?: string
  /** Whether error-free projects are published at once, once they are approved, or never. */
  publish: PublishMode
}

export type PublishMode = (typeof PUBLISH_MODES)[number]
const PUBLISH_MODES = ['auto', 'approved', 'manual'] as const

/* Every function parses a value, and returns undefined if it is invalid. */

/**
 * Parses `https://github.com/acme/brand.git`, `ssh://git@host:22/acme/brand.git` or `git@github.com:acme/brand.git`. A
 * name or password would end up in logs, so only ssh may have a user. git only knows schemes in lower case.
 */
export function parseGitUrl(address: string): string | undefined {
  const text = lowerScheme(address)
  const isSafe = text.length <= MAX_LENGTH && !UNSAFE.test(text)
  return isSafe && (SSH_PATH.test(text) || isAddress(text)) ? text : undefined
}

function isAddress(text: string): boolean {
  if (!ADDRESS.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password, hostname, pathname, search, hash } = new URL(text)
  if (password + search + hash !== '' || hostname.startsWith('-') || !PATH.test(pathname)) return false
  // Tokens and content must not cross a network unencrypted. `ADDRESS` leaves no user to https.
  return protocol === 'http:' ? isThisMachine(hostname) : USER.test(username)
}

/** `https://host…` without an `@` in the host, or `ssh://…`. */
const ADDRESS = /^(?:https?:\/\/(?![^/]*@)|ssh:\/\/)[^/]/
/** May be empty. With a hyphen first, ssh would read it as an option, as it would a host. */
const USER = /^(?!-)[\w.-]*$/
/** The rest of a password would be parsed as the path. */
const PATH = /^\/[^@]+$/

/**
 * The short form of git for ssh: `git@github.com:acme/brand.git`. The path must not begin with a hyphen, `-/` or `//`,
 * nor have a second colon or a backslash.
 */
const SSH_PATH = /^\w[\w.-]*@\w[\w.-]*:(?![-/]\/)[^-:\\][^:\\]*$/

/** Characters that no address needs, and that could steer a terminal. */
const UNSAFE = /[\s\p{C}\\"'`<>^{|}]/u
const MAX_LENGTH = 1000

/** Parses the name of a branch or tag by the rules of `git check-ref-format`. */
export function parseGitRef(text: string): string | undefined {
  const isName = text.length <= MAX_LENGTH && !FORBIDDEN_IN_REF.test(text) && text !== '@'
  return isName && text.split('/').every(part => /^[^.]/.test(part) && !/\.(?:lock)?$/.test(part)) ? text : undefined
}

/** A hyphen first, `..`, `@{`, and characters that git forbids. */
const FORBIDDEN_IN_REF = /^-|\.\.|@\{|[\s\p{C}~^:?*[\\]/u

/** Parses a folder in a repository. Returns it without slashes at its ends, and the root as an empty string. */
export function parseGitPath(text: string): string | undefined {
  // `./brand/` and `brand` are the same, and `.` and `./` the root.
  const path = text.replace(/^(?:\.\/)+|^\.$|(?<!\/)\/+$/g, '')
  // `/` is the root of the machine.
  if (path === '') return text === '' || text.startsWith('.') ? path : undefined
  const isPath = path.length <= MAX_LENGTH && !/[\p{Cc}\\]/u.test(path)
  return isPath && path.split('/').every(part => !RESERVED.has(part.toLowerCase())) ? path : undefined
}

/** Names that git itself gives a meaning. */
const RESERVED: ReadonlySet<string> = new Set(['', '.', '..', '.git'])

export function parsePublishMode(text: string): PublishMode | undefined {
  return PUBLISH_MODES.find(mode => mode === text)
}

/** The form of a valid address, as the end of a sentence, which depends on what seems to be wrong with this one. */
export function gitUrlForm(text: string): string {
  if (LOCAL.test(text)) return NOT_LOCAL
  return hasRawPassword(text) ? `${GIT_URL}; an @ in its path is %40` : GIT_URL
}

/** A path on this machine: `./brand`, `../brand.git`, `/srv/brand`, `file:///srv/brand`. With a dot elsewhere, it may be a host. */
const LOCAL = /^(?:file:)?[./~]*(?:[\w-][\w/-]*)?(?:\.git)?$/i
const NOT_LOCAL =
  'the address of a repository: serve a folder of this machine without --git, as in `housestyle serve ./brand`, and follow a repository on it by ssh, as in ssh://localhost/srv/brand.git'

const GIT_URL =
  'the address of a repository without a name or password, as in https://github.com/acme/brand.git or git@github.com:acme/brand.git (give a token with HOUSESTYLE_GIT_TOKEN)'
