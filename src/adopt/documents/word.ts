import { readWord } from '#formats/html/word.ts'
import type { DocumentContent } from '../document.ts'
import type { PageTask } from '../pages/page.ts'
import { convertHtml } from './html.ts'

/**
 * Converts a Word file to a page with pictures.
 *
 * @throws {Error} if it is damaged, protected or very large; the message is a reason
 */
export async function convertWord(bytes: Uint8Array, task: PageTask): Promise<DocumentContent> {
  const { html, pictures, unread, styles, smallCapitals } = await readWord(bytes)
  const page = convertHtml(html, task, pictures)
  const place = { path: task.shownPath, line: 1 }
  for (const row of unread) page.notes.lost.push({ ...place, ...row })
  for (const style of styles)
    page.notes.converted.push({ ...place, what: 'style of Word', detail: style, became: 'text without a style' })
  const detail = smallCapitals.join(' … ')
  const row = { ...place, what: 'small capitals', detail, became: 'letters as they were typed' }
  if (detail !== '') page.notes.converted.push(row)
  return page
}
