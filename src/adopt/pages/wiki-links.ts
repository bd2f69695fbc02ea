import { withoutCode } from '#intake/markdown/foreign-comments.ts'
import { noNotes } from '../report/report.ts'
import type { Pass } from './page.ts'

/** Where links have their text first, turns `[[text|Page]]` around, and removes the place of a table of contents. */
export const wikiLinks: Pass = (text, { task, lineOf }) => {
  const notes = noNotes()
  const links = task.facts.isTextFirst ? [...withoutCode(text).matchAll(LINK)] : []
  const edits = links.flatMap(({ 0: link, 1: words = '', 2: page, index: start }) => {
    const end = start + link.length
    if (page === undefined && !CONTENTS.test(words)) return []
    const place = { path: task.shownPath, line: lineOf(start), what: 'table of contents', became: 'nothing' }
    if (page === undefined) notes.converted.push(place)
    return [{ start, end, text: page === undefined ? '' : `[[${page}|${words}]]` }]
  })
  return { edits, notes }
}

const LINK = /(?<!!)\[\[([^[\]|\n]{1,500})(?:\|([^[\]|\n]{1,500}))?\]\]/g
const CONTENTS = /^_TO(?:C|SP)_$/
