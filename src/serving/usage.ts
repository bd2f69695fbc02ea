import { dayOf } from '#brand/file.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { KEPT_DAYS, MAX_MISSED, type UsageKind } from '#brand/usage.ts'
import { wordSet } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { addUsage, type UsageCount } from '#store/catalogue/usage.ts'
import type { Database } from '#store/database/database.ts'
import { type MinuteWriter, openMinuteWriter } from '#store/minute-writer.ts'

/** Counts requests for the content of projects, without any data about visitors. */
export type Usage = {
  /** Counts a request for an item; cheap enough for each request. */
  count: (ref: ProjectRef, kind: UsageKind, item: string) => void
  /**
   * Counts a search without a result. One made while typing is replaced by the next search if that continues it, so
   * that only the last of `ze`, `zeb` and `zebra` counts. Only words that people search for are kept, and at most 30
   * new ones an hour from a network.
   */
  countMissed: (ref: ProjectRef, text: string, isTyping?: boolean, network?: string) => void
  /** Removes and returns the counts of this process that are not in the store yet. */
  take: () => UsageCount[]
  putBack: (counts: readonly UsageCount[]) => void
}

/** The searches of a project on a day: how many different ones are counted, and the last one if it was made while typing. */
type Searches = { different: number; typed: string }

/** Counts in memory. `clock` is the time of day in milliseconds. Beyond `maxItems`, further items are not counted. */
export function openUsage(clock: () => number, maxItems = MAX_ITEMS): Usage {
  const counts = openCounts(maxItems)
  const budget = openNetworkBudget(clock)
  const placeNow = (ref: ProjectRef) => dayPlace(ref, Math.floor(clock() / DAY_MS))
  return {
    count: (ref, kind, item) => counts.add(placeNow(ref), ref, kind, item, 1),
    countMissed: (ref, text, isTyping = false, network = '') => {
      const item = missedWords(text)
      if (item === undefined) return
      const place = placeNow(ref)
      const { typed } = counts.searchesOf(place)
      const isLonger = typed !== '' && typed !== item && item.startsWith(typed)
      if (isLonger) {
        counts.removeMissed(place, typed)
        budget.giveBack(ref, network)
      }
      if (!counts.hasMissed(place, item) && !budget.take(ref, network)) return
      counts.add(place, ref, 'missed', item, 1)
      counts.searchesOf(place).typed = isTyping ? item : ''
    },
    take: counts.take,
    putBack: taken => {
      for (const { day, kind, item, count, ...ref } of taken)
        counts.add(dayPlace(ref, Date.parse(day) / DAY_MS), ref, kind, item, count)
    },
  }
}

function openCounts(maxItems: number) {
  const counts = new Map<string, UsageCount>()
  const searches = new Map<string, Searches>()
  const searchesOf = (place: string) => entry(searches, place, (): Searches => ({ different: 0, typed: '' }))
  /** Counts another different search. Whether it is still within the limit; other kinds have none. */
  const reserveItem = (place: string, kind: UsageKind): boolean => {
    if (kind !== 'missed') return true
    const ofDay = searchesOf(place)
    ofDay.different += 1
    return ofDay.different <= MAX_MISSED_IN_MEMORY
  }
  return {
    searchesOf,
    hasMissed: (place: string, item: string): boolean => counts.has(usageKey(place, 'missed', item)),
    add: (place: string, { workspace, project }: ProjectRef, kind: UsageKind, item: string, count: number) => {
      const key = usageKey(place, kind, item)
      const counted = counts.get(key)
      if (counted) counted.count += count
      else if (counts.size < maxItems && reserveItem(place, kind))
        counts.set(key, { workspace, project, day: dayIn(place), kind, item, count })
    },
    /** Removes one search for words that others continue. */
    removeMissed: (place: string, item: string) => {
      const key = usageKey(place, 'missed', item)
      const counted = counts.get(key)
      if (!counted) return
      counted.count -= 1
      if (counted.count > 0) return
      counts.delete(key)
      searchesOf(place).different -= 1
    },
    take: (): UsageCount[] => {
      const taken = [...counts.values()]
      counts.clear()
      searches.clear()
      return taken
    },
  }
}

/** A project on a day: `20786 acme/web`. The day is a number since 1970: making its text takes too long for each request. */
function dayPlace({ workspace, project }: ProjectRef, day: number): string {
  return `${day} ${workspace}/${project}`
}

function dayIn(place: string): string {
  return dayOf(new Date(Number.parseInt(place, 10) * DAY_MS))
}

function usageKey(place: string, kind: UsageKind, item: string): string {
  return `${place} ${kind} ${item}`
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}

const DAY_MS = 86_400_000
/** More items than a service delivers in a minute; about 5 MB. */
const MAX_ITEMS = 20_000
/** More than a project keeps, so that the rarest are dropped only when they are written. */
const MAX_MISSED_IN_MEMORY = 5 * MAX_MISSED

/** Counts a reply with content. The reply with a file counts only if the request is a download. */
export function countReply(
  usage: Usage | undefined,
  request: Request,
  reply: Reply | undefined,
  ref: ProjectRef,
  kind: UsageKind,
  item: string,
): void {
  const hasContent = request.method === 'GET' && CONTENT_STATUSES.has(reply?.status)
  if (!usage || !hasContent) return
  if (kind !== 'file' || isDownload(request)) usage.count(ref, kind, item)
}

const CONTENT_STATUSES: ReadonlySet<number | undefined> = new Set([200, 206])

/**
 * Whether a person or program asked for a file to keep or open it, instead of a page that shows it. Browsers say so in
 * `Sec-Fetch-Dest` and `Sec-Fetch-Mode` (Fetch Metadata): `document` for a link, and `empty` with `navigate` or `no-cors`
 * for a link with `download` and for *Save link as*. They omit both without https, and Node's `fetch` the first. Only the
 * first of the parts of a file counts.
 */
export function isDownload({ headers }: Pick<Request, 'headers'>): boolean {
  const { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode, accept, origin, referer, range } = headers
  if (range !== undefined && !/^bytes=\s*0-/i.test(range)) return false
  if (dest !== undefined) return dest === 'document' || LINKED.has(`${dest} ${mode}`)
  if (origin !== undefined) return false
  // Pages load fonts, films and data with this value; programs send it without a referrer.
  if (accept === '*/*') return referer === undefined
  return accept === undefined || !LOADED_BY_PAGES.test(accept)
}

/** Destination and mode of a link with `download`, and of *Save link as*. */
const LINKED: ReadonlySet<string> = new Set(['empty navigate', 'empty no-cors'])
/** The first type that browsers accept for the parts of a page. */
const LOADED_BY_PAGES = /^\s*(?:image|font|audio|video|text\/css|application\/(?:x-)?font)\b/i

/** Writes the counts of this process each minute, and removes outdated ones. */
export function openUsageWriter(
  database: Database,
  usage: Usage,
  clock: () => number,
  log: Pick<Log, 'error'>,
): MinuteWriter {
  const writeDue = async () => {
    const counts = usage.take()
    if (counts.length === 0) return
    try {
      await addUsage(database, counts, dayOf(new Date(clock() - KEPT_DAYS * DAY_MS)))
    } catch (error) {
      usage.putBack(counts)
      throw error
    }
  }
  return openMinuteWriter(writeDue, log, 'cannot write the usage of projects')
}

/**
 * The words of a search without a result, in lower case and at most 60 characters; undefined if people would hardly
 * search for them in a guide: addresses, probes for faults, control characters, encoded bytes, sentences and long numbers.
 */
export function missedWords(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH || !/[\p{L}\p{N}]/u.test(trimmed)) return undefined
  const words = trimmed.split(/\s+/)
  if (words.length > MAX_WORDS || isJunk(trimmed) || words.some(isRandom)) return undefined
  return Array.from(trimmed.toLowerCase()).slice(0, MAX_CHARACTERS).join('').trim()
}

/** A search with more characters or words does not count; the last limit is the number of characters that are kept. */
const MAX_LENGTH = 200
const MAX_WORDS = 6
const MAX_CHARACTERS = 60

function isJunk(text: string): boolean {
  const hasSigns = JUNK_SIGNS.values().some(signs => text.includes(signs))
  return hasSigns || JUNK.some(pattern => pattern.test(text)) || hasJunkWord(text)
}

/** Signs of addresses, markup and code. */
const JUNK_SIGNS = wordSet('// .. && &# /* -- @@')

const JUNK: readonly RegExp[] = [
  // Control, private and unassigned characters, halves of pairs, and signs that change the direction of text.
  /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffd]/u,
  // Addresses: `/admin`, `www.example`, `anna@example`, `example.com/logo`, `.htaccess`.
  /^\/|^www\.|\S@\S|\.[a-z]{2,}\/|^\.\w/i,
  // Markup and code: any sign of them, `&amp;`, `%2e`, `alert(1)`.
  /[<>{}[\]$`|\\;^~*=]|&\w+;|%[\da-f]{2}|\w\(/i,
  // Queries of databases: `union all select`, `select name from users`, `insert into`, `drop table`, `order by 1`.
  /\b(?:union\s+(?:all\s+)?select|select\s.*\bfrom\b|insert\s+into|drop\s+table|waitfor\s+delay|order\s+by\s+\d)/i,
  // Parts of such queries: `x' or`, `or 1=1`, `0x7e7e`.
  /['"]\s*(?:or|and)\b|\b(?:or|and)\s+['"\d]+\s*=|\b0x[\da-f]{4,}/i,
  // Numbers of phones, cards and accounts: `030 1234 5678`.
  /(?:\d[ ./-]?){10,}/,
]

/** Whether a word with the dot before it, or with the colon after it, is one of these: `.php` in `index.php`. */
function hasJunkWord(text: string): boolean {
  const words = text.matchAll(/(\.?)(\w+)(:?)/g)
  const withSigns = words.flatMap(([, dot, word, colon]) => [`${dot}${word}`, `${word}${colon}`])
  return withSigns.some(word => JUNK_WORDS.has(word.toLowerCase()))
}

/** The ends of names of files and hosts, and the schemes of addresses. */
const JUNK_WORDS = wordSet(`
  .php .asp .aspx .jsp .cgi .env .git .ini .passwd .com .net .org .ru .cn .xyz .top .shop
  javascript: data: vbscript: jndi:`)

/**
 * Whether a word looks like encoded or random characters: `5f4dcc3b5aa765d6`, `aGVsbG8gd29ybGQ`. Words of any language,
 * such as `Farbraumkonvertierung`, and ids such as `b2b` do not.
 */
function isRandom(word: string): boolean {
  const isLongHex = /^(?=.*\d)[\da-f-]{16,}$/i.test(word)
  if (/^[\w+/-]{41,}$/.test(word) || isLongHex) return true
  if (!/^[\w+/-]{12,}$/.test(word)) return false
  // From a small to a capital letter, and between a letter and a digit: `aB`, `a1`, `1a`.
  const changes = countOf(/[a-z](?=[A-Z])/g, word) + countOf(/[a-z](?=\d)|\d(?=[a-z])/gi, word)
  const letters = countOf(/[a-z]/gi, word)
  const hasFewVowels = letters >= 12 && countOf(/[aeiouy]/gi, word) < letters / 7
  return hasFewVowels || changes > word.length / 4
}

function countOf(pattern: RegExp, text: string): number {
  return Array.from(text.matchAll(pattern)).length
}

/**
 * Limits how many different searches a network may add to a project in an hour, so that one client cannot displace the
 * words of others. Networks are forgotten each hour.
 */
function openNetworkBudget(clock: () => number) {
  let hour = -1
  const spent = new Map<string, number>()
  const spend = ({ workspace, project }: ProjectRef, network: string, change: 1 | -1): boolean => {
    const current = Math.floor(clock() / HOUR_MS)
    if (current !== hour) spent.clear()
    hour = current
    const id = `${workspace}/${project} ${network}`
    const count = (spent.get(id) ?? 0) + change
    if (count < 0 || count > MAX_NEW_AN_HOUR || (count === 1 && spent.size >= MAX_NETWORKS)) return false
    spent.set(id, count)
    return true
  }
  return {
    /** Whether the network may add one more. Unknown networks are not limited. */
    take: (ref: ProjectRef, network: string): boolean => network === '' || spend(ref, network, 1),
    giveBack: (ref: ProjectRef, network: string): boolean => spend(ref, network, -1),
  }
}

const HOUR_MS = 3_600_000
const MAX_NEW_AN_HOUR = 30
/** About 2 MB. */
const MAX_NETWORKS = 20_000
