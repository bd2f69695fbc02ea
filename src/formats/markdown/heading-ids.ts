/**
 * Makes the ids of one page's headings, in NFC. `own` is the id that the author gives a heading; other ids are made as
 * GitHub does: the text in lower case, with letters and digits of every script, spaces as `-`, and nothing else. A
 * repeated id gets the suffix `-1`, so call it in page order.
 */
export function headingIds(): (text: string, own?: string) => string {
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
  const words = text.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ')
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-') || 'section'
}

/** A heading without the mark of its id, the mark as written, and its id unless that is invalid. */
export type MarkedHeading = { text: string; mark?: string; id?: string; isPlain?: boolean }

/**
 * Splits a heading that ends with the mark of an id: `{#space}`, `{: #space}` (kramdown, Python-Markdown) or
 * `{/* #space *\/}` (Docusaurus). `isPlain` is false if the mark has other attributes, which have no effect.
 */
export function splitHeading(heading: string): MarkedHeading {
  const match = heading.endsWith('}') ? HEADING_MARK.exec(heading) : null
  if (!match) return { text: heading }
  const [mark, attributes = ''] = match
  const all = attributes.match(/(?:[^\s"]|"[^"]*")+/g) ?? []
  const ids = all.filter(each => each.startsWith('#')).map(each => each.slice(1).normalize('NFC'))
  const isList = all.every(each => /^[.#]|=/.test(each))
  const [id = ''] = ids
  const isValid = isList && ids.length === 1 && OWN_ID.test(id)
  const isMark = isList ? ids.length > 0 : attributes.trimStart().startsWith('#')
  if (!isMark) return { text: heading }
  const text = heading.slice(0, match.index).trimEnd()
  return { text, mark: mark.trim(), ...(isValid && { id, isPlain: all.length === 1 }) }
}

/** The end of a heading; also used on the last text of one. */
export const HEADING_MARK = /\{(?::|\/\*)?([^{}*\n]{1,200}?)(?:\*\/)?\}\s*$/

const OWN_ID = /^(?!user-content-|fn-|fnref-|footnote-label$)[\p{L}\p{N}_][\p{L}\p{M}\p{N}\p{Pc}.:-]*$/u
