import { createHmac, randomBytes } from 'node:crypto'
import type { ProjectRef } from '../../brand/ids.ts'

/**
 * The words of a search without a result, in lower case and at most 60 characters; undefined if people would hardly
 * search for them in a guide: addresses, probes for faults, control characters, encoded bytes, sentences and long numbers.
 */
export function missedWords(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH || !/\p{L}|\p{N}/u.test(trimmed)) return undefined
  if (JUNK.some(pattern => pattern.test(trimmed))) return undefined
  const words = trimmed.split(/\s+/)
  if (words.length > MAX_WORDS || words.some(isRandom)) return undefined
  return Array.from(trimmed.toLowerCase()).slice(0, MAX_CHARACTERS).join('').trim()
}

const MAX_LENGTH = 200
const MAX_WORDS = 6
const MAX_CHARACTERS = 60

const JUNK: readonly RegExp[] = [
  // Control, private and unassigned characters, halves of pairs, and signs that change the direction of text.
  /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffd]/u,
  // Addresses of pages, people and files on servers.
  /:\/\/|^\/|\/\/|^www\.|\.\.|\S@\S|\.[a-z]{2,}\/|^\.\w/i,
  /\.(?:php|aspx?|jsp|cgi|env|git|ini|passwd|com|net|org|ru|cn|xyz|top|shop)\b/i,
  /\b(?:javascript|data|vbscript|jndi):/i,
  // Markup, templates, shells and expressions.
  /[<>{}[\]$`|\\;^~*=]|&&|&#|&\w+;|%[\da-f]{2}|\w\(|\/\*|--/i,
  // SQL.
  /\b(?:union\s+(?:all\s+)?select|select\s.*\bfrom\b|insert\s+into|drop\s+table|waitfor\s+delay|order\s+by\s+\d)/i,
  /['"]\s*(?:or|and)\b|\b(?:or|and)\s+['"\d]+\s*=|@@|\b0x[\da-f]{4,}/i,
  // Numbers of phones, cards and accounts.
  /(?:\d[ ./-]?){10,}/,
]

/** Whether a word looks like encoded or random characters. Words of any language and ids such as `b2b` do not. */
function isRandom(word: string): boolean {
  if (/^[\w+/-]{41,}$/.test(word) || /^(?=.*\d)[\da-f-]{16,}$/i.test(word)) return true
  if (!/^[\w+/-]{12,}$/.test(word)) return false
  const letters = word.replaceAll(/[^a-z]/gi, '')
  const caseChanges = word.match(/[a-z](?=[A-Z])/g)?.length ?? 0
  const digitChanges = word.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0
  const vowels = letters.match(/[aeiouy]/gi)?.length ?? 0
  return caseChanges + digitChanges > word.length / 4 || (letters.length >= 12 && vowels < letters.length / 7)
}

/**
 * Limits how many different searches a network may add to a project in an hour, so that one client cannot displace the
 * words of others. It has only hashes of networks, whose key is forgotten each hour.
 */
export function openNetworkBudget(clock: () => number) {
  let [hour, key] = [-1, randomBytes(32)]
  const spent = new Map<string, number>()
  const keyOf = ({ workspace, project }: ProjectRef, network: string) => {
    const current = Math.floor(clock() / HOUR_MS)
    if (current !== hour) {
      ;[hour, key] = [current, randomBytes(32)]
      spent.clear()
    }
    return createHmac('sha256', key).update(`${workspace}/${project} ${network}`).digest('base64url')
  }
  return {
    /** Whether the network may add one more. Unknown networks are not limited. */
    take: (ref: ProjectRef, network: string): boolean => {
      if (network === '') return true
      const id = keyOf(ref, network)
      const count = spent.get(id) ?? 0
      if (count >= MAX_NEW_AN_HOUR || (count === 0 && spent.size >= MAX_NETWORKS)) return false
      spent.set(id, count + 1)
      return true
    },
    giveBack: (ref: ProjectRef, network: string): void => {
      const id = keyOf(ref, network)
      const count = spent.get(id) ?? 0
      if (count > 0) spent.set(id, count - 1)
    },
  }
}

const HOUR_MS = 3_600_000
const MAX_NEW_AN_HOUR = 30
/** About 2 MB. */
const MAX_NETWORKS = 20_000
