import { anyOf, groupsOf } from '#platform/base/text.ts'

/**
 * Makes the ids of one page's headings, in NFC. `own` is the id that the author gives a heading; others are made as
 * GitHub does: the text in lower case, with letters and digits of every script, spaces as `-`, and nothing else. A
 * repeated id gets the suffix `-1`, so call it in page order.
 */
export function headingIds(): (text: string, own?: string) => string {
  /** Each id that is in use, with the last suffix that was tried for it. */
  const counts = new Map<string, number>()
  return (text, own) => {
    const name = own ?? slug(text)
    let count = counts.get(name) ?? 0
    let id = name
    while (counts.has(id)) {
      count++
      id = `${name}-${count}`
    }
    counts.set(id, 0)
    counts.set(name, count)
    return id
  }
}

/** The number of characters of a heading that its id and the list of headings use. */
export const MAX_HEADING = 200

function slug(text: string): string {
  const words = text.normalize('NFC').trim().toLowerCase().replace(/\s+/g, '-')
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}-]/gu, '') || 'section'
}

/** A heading without the mark of its id, the mark as written, and its id unless that is invalid. */
export type MarkedHeading = { text: string; mark?: string; id?: string; isPlain?: boolean }

/**
 * Splits a heading that ends with the mark of an id: `{#space}`, `{: #space}` (kramdown, Python-Markdown) or
 * `{/* #space *\/}` (Docusaurus). `isPlain` is false if the mark has other attributes, which have no effect.
 */
export function splitHeading(heading: string): MarkedHeading {
  const [mark, content = ''] = heading.endsWith('}') ? groupsOf(HEADING_MARK, heading) : []
  if (mark === undefined) return { text: heading }
  const attributes = attributesIn(content)
  const ids = attributes.filter(attribute => attribute.startsWith('#')).map(id => id.slice(1).normalize('NFC'))
  // `{#space .wide}` is a list. `{#a b}` is not, but is meant as an id, which is invalid.
  const isList = attributes.every(attribute => /^[.#]|=/.test(attribute))
  const isMark = isList ? ids.length > 0 : content.trimStart().startsWith('#')
  if (!isMark) return { text: heading }
  const [id = '', ...others] = ids
  const isValid = isList && others.length === 0 && OWN_ID.test(id) && !WEBSITE_ID.test(id)
  const text = heading.slice(0, -mark.length).trimEnd()
  return { text, mark: mark.trim(), ...(isValid && { id, isPlain: attributes.length === 1 }) }
}

/** The mark at the end of a heading, or of its last text. */
export const HEADING_MARK = /\{(?::|\/\*)?([^{}*\n]{1,200}?)(?:\*\/)?\}\s*$/

function attributesIn(mark: string): string[] {
  return Array.from(mark.matchAll(ATTRIBUTE), ([attribute]) => attribute)
}

/** A class, an id, or a name with a value, which may be in quotes. */
const ATTRIBUTE = /(?:[^\s"]|"[^"]*")+/g

const OWN_ID = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}\p{Pc}.:-]*$/u

/** Ids that the website creates: for footnotes, and for the author's own ids and names. */
export const WEBSITE_ID = new RegExp(`^${anyOf(['user-content-', 'fn-', 'fnref-'])}|^footnote-label$`)
