import { convertMarkdown } from '#adopt/pages/convert-page.ts'
import { insertIncludes } from '#adopt/pages/includes.ts'
import { mdx } from '#adopt/pages/mdx.ts'
import { applyEdits, lineCounter } from '#platform/base/text.ts'
import { golden } from '#test/support/golden.ts'
import { pageFacts } from '../page-facts.ts'

const FACTS = { baseUrl: '', variables: new Map() }
const INCLUDES = new Map([['docs/_space.mdx', 'Keep <b>one</b> unit.\n']])

function converted(text: string, kind: 'md' | 'mdx' = 'mdx') {
  const task = { path: 'docs/a.mdx', shownPath: 'docs/a.mdx', kind, facts: FACTS, includes: INCLUDES }
  const whole = applyEdits(text, insertIncludes(text, task).edits)
  const [page, lineOf] = [mdx(whole, task), lineCounter(whole)]
  const notes = page.notes.map(note => ({ ...note, line: lineOf(note.at) }))
  const lost = notes.flatMap(note => ('text' in note ? [`${note.line} ${note.what}: ${note.text}`] : []))
  return { text: applyEdits(whole, page.edits).trim(), lost, notes }
}

function whole(text: string) {
  const task = { path: 'a.mdx', shownPath: 'a.mdx', kind: 'mdx' as const, facts: FACTS, includes: new Map() }
  return convertMarkdown(text, task)
}

golden('adopt/pages/mdx', ({ kind, page }: { kind: 'md' | 'mdx' | 'whole'; page: string }) => {
  if (kind === 'whole') return pageFacts(whole(page))
  const { text, notes } = converted(page, kind)
  return { text, report: notes.map(({ at: _, ...note }) => note) }
})
