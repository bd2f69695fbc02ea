import type { AdoptedGuide } from './adopted-guide.ts'

/**
 * Facts that readers of a guide's website see; " | " separates spellings of a title or language. `menu` has the titles of pages
 * in their order, `pages` the other titles, `logo` the files that show it, and `words` phrases of pages.
 */
export type GuideFacts = Partial<
  Record<'home' | 'lang', string> & Record<'logo' | 'menu' | 'pages' | 'words', string[]>
>

/** The facts about one property of a guide, and the missed ones. */
export type Share = Record<'shown' | 'missed', readonly string[]>

export const MEASURES = ['pages', 'menu', 'home', 'language', 'logo', 'words', 'warning'] as const

export type GuideScore = Record<(typeof MEASURES)[number], Share>

/**
 * Compares strings by letters and digits. A loss of more than half of the words needs a warning.
 * `logos` has the bytes of the source's logo files.
 */
export function scoreGuide(
  facts: GuideFacts,
  logos: readonly Uint8Array[],
  guide: AdoptedGuide & { isWarned: boolean },
): GuideScore {
  const { home = [], lang = [], logo = [], menu = [], pages = [], words = [] } = facts
  const places = placesOf([...menu, ...pages], guide.titles)
  const inMenu = places.slice(0, menu.length)
  const inOrder = longestRise(inMenu.filter(isFound))
  const text = lettersOf(guide.text)
  const phrases = shareOf(words, phrase => text.includes(lettersOf(phrase)), String)
  const loss = words.length > 2 * (words.length - phrases.missed.length) ? ['a warning'] : []
  return {
    pages: shareOf(places, isFound, titleOf),
    menu: shareOf(inMenu, place => inOrder.includes(place), titleOf),
    home: shareOf([home].flat(), isOneOf(guide.homes), String),
    language: shareOf([lang].flat(), isOneOf(guide.languages), String),
    logo: shareOf(logo.slice(0, 1), () => logos.some(isOneOfBytes(guide.logos)), String),
    words: phrases,
    warning: shareOf(loss, () => guide.isWarned, String),
  }
}

function shareOf<T>(facts: readonly T[], isKept: (fact: T) => boolean, nameOf: (fact: T) => string): Share {
  return { shown: facts.map(nameOf), missed: facts.filter(fact => !isKept(fact)).map(nameOf) }
}

/** A title of the source and its index among the titles of the brand folder; −1 if it has none. */
type Place = { title: string; index: number }

function placesOf(names: readonly string[], titles: readonly string[]): Place[] {
  const free = titles.map(lettersOf)
  return names.map(title => {
    const index = free.findIndex(name => spellingsOf(title).includes(name))
    free.fill('', index, index + 1)
    return { title, index }
  })
}

function isFound({ index }: Place): boolean {
  return index !== -1
}

function titleOf({ title }: Place): string {
  return title
}

/** The longest part of the places whose indexes rise: the others are out of order. */
function longestRise(places: readonly Place[]): readonly Place[] {
  const rises: Place[][] = []
  for (const place of places) {
    const before = rises.filter(rise => rise.every(({ index }) => index < place.index))
    rises.push([...longestOf(before), place])
  }
  return longestOf(rises)
}

function longestOf(lists: readonly Place[][]): readonly Place[] {
  return lists.toSorted((a, b) => b.length - a.length)[0] ?? []
}

function isOneOf(names: readonly string[]): (fact: string) => boolean {
  return fact => names.some(name => spellingsOf(fact).includes(lettersOf(name)))
}

function isOneOfBytes(files: readonly Uint8Array[]): (bytes: Uint8Array) => boolean {
  return bytes => files.some(file => Buffer.compare(file, bytes) === 0)
}

function spellingsOf(fact: string): string[] {
  return fact.split(' | ').map(lettersOf)
}

function lettersOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
