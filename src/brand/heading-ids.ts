/**
 * Makes the ids of one page's headings as GitHub does: the text in lower case, with letters and digits of every script,
 * spaces as `-`, and nothing else; the second heading of the same text ends in `-1`. Call it in the order of the page.
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

/** How many characters of a heading its id and the list of headings are made from. */
export const MAX_HEADING = 200

function slug(text: string): string {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-') || 'section'
}
