/**
 * Ids of one page's headings, as GitHub makes them: the text in lower case, letters and digits of every script kept,
 * spaces as `-`, all else left out; the second of the same name ends in `-1`. Ask for them in the order of the page.
 */
export function headingIds(): (text: string) => string {
  const counts = new Map<string, number>()
  return text => {
    const name = slug(text)
    let count = counts.get(name)
    let id = name
    while (counts.has(id)) {
      count = (count ?? 0) + 1
      id = `${name}-${count}`
    }
    counts.set(name, count ?? 0)
    counts.set(id, counts.get(id) ?? 0)
    return id
  }
}

/** Characters of a heading, from its start, that its id and the list of a page's headings are made from. */
export const MAX_HEADING = 200

function slug(text: string): string {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-') || 'section'
}
