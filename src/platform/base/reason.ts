import { anyOf } from './text.ts'

/**
 * Ends a message, which has our advice, with the reason that another program gave, such as git, a database or an
 * issuer: `…; check the address: ssh: connect to host git.example port 22: Connection refused`. A reason that the
 * message already has is not repeated.
 */
export function withReason(message: string, said: string, secrets: readonly string[] = []): string {
  const reason = reasonOf(said, secrets)
  return message.includes(reason) ? message : `${message}: ${reason}`
}

/**
 * The last line that another program printed, which is untrusted: without secrets, control and format characters, and at
 * most 200 characters. Empty if it printed nothing.
 *
 * @param secrets strings that the message must not have, such as the token of the request
 */
export function reasonOf(said: string, secrets: readonly string[] = []): string {
  const lines = said.split(/[\r\n\u0085\u2028\u2029]+/).map(line => line.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim())
  const line = withoutSecrets(lines.findLast(each => each !== '') ?? '', secrets)
  const characters = [...line]
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : line
}

const MAX_LENGTH = 200

/** Replaces given secrets, credentials and queries of addresses, credentials of HTTP fields, and tokens by `…`. */
function withoutSecrets(line: string, secrets: readonly string[]): string {
  // The longest first, because a secret may contain another one.
  const longestFirst = secrets.filter(secret => secret !== '').toSorted((a, b) => b.length - a.length)
  return longestFirst
    .reduce((text, secret) => text.replaceAll(secret, '…'), line)
    .replace(/\S+/g, withoutCredentials)
    .replace(ADDRESS_WITH_QUERY, '$1?…')
    .replace(SCHEME_WITH_CREDENTIALS, '$1 …')
    .replace(WEB_TOKEN, '…')
    .replace(NAMED_SECRET, '$1$2…')
}

/** `https://host/path?key=…` or `#…`, up to a space or a quote. */
const ADDRESS_WITH_QUERY = /(:\/\/(?:(?!:\/\/)[^\s?#'"])*)[?#][^\s'"]*/g

/** A JSON Web Token: three parts of base64url, of which the first begins with `{"`. */
const WEB_TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** The schemes of the HTTP field `Authorization`. */
const SCHEMES = ['Basic', 'Bearer', 'DPoP']
const SCHEME_WITH_CREDENTIALS = new RegExp(String.raw`\b(${anyOf(SCHEMES)}) +[\w.~+/=-]{8,}`, 'gi')
/** Longer names come first. */
const SECRETS = ['password', 'passwd', 'passphrase', 'pass', 'secret', 'token', 'api-key', 'api_key', 'apikey']
/** `password = "x`, `"token": "x` or `api_key=x`. */
const NAMED_SECRET = new RegExp(String.raw`(${anyOf(SECRETS)})(\s*=\s*["']?|["']\s*:\s*["'])[^\s"',;&]+`, 'gi')

/** A word in which `…` replaces everything between `://` and its last `@`. */
function withoutCredentials(word: string): string {
  const start = word.indexOf('://')
  const end = word.lastIndexOf('@')
  return start === -1 || end < start ? word : `${word.slice(0, start)}://…${word.slice(end)}`
}
