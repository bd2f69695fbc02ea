/**
 * Makes the ids of one page's headings as GitHub does: the text in lower case, with letters and digits of every script,
 * spaces as `-`, and nothing else. A repeated heading gets the suffix `-1`, so call it in page order.
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

/** The number of characters of a heading that its id and the list of headings use. */
export const MAX_HEADING = 200

function slug(text: string): string {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-') || 'section'
}
