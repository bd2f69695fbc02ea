import { isExpired } from '#brand/file.ts'
import { isLoopTitle } from '#brand/markdown/loop-title.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { withTimeout } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { bestHits, type Hit } from '../../search/best-entries.ts'
import { isIndexMissing } from '../../search/indexer.ts'
import { type Answers, answerQuestion, questionWords } from '../../search/question.ts'
import { type SearchIndex, type SearchItems, searchItemsOf, withGuideColors } from '../../search/search-index.ts'
import { type Word, wordsOf } from '../../search/words.ts'
import { contentId } from './content-id.ts'
import { itemOf } from './items.ts'
import { applicable, type Outcome } from './output.ts'
import { readPage } from './pages.ts'
import { fittingEntries } from './reply-size.ts'
import { type Arguments, MAX_PROJECTS, openProject, type Reader } from './tool.ts'

/** Searches one project, or all projects of the reader. The best results come first. */
export async function search(reader: Reader, { query, project, limit = 10 }: Arguments): Promise<Outcome<'search'>> {
  if (questionWords(query).length === 0)
    return failed('The query has no words. Write a few, such as: logo minimum size')
  const opened = openProjects(reader, project)
  if (!opened.ok) return opened
  const publications = opened.value
  const guides = (await Promise.all(publications.map(each => openGuide(reader, each)))).filter(
    each => each !== undefined,
  )
  if (guides.length === 0 && publications.length > 0) return failed(NO_INDEX)
  const { total, hits } = await bestIn(guides, query, limit)
  const maxText = Math.min(MAX_EXCERPT, Math.floor(MAX_EXCERPTS / limit))
  const results = await Promise.all(hits.map(hit => resultOf(reader, hit, maxText)))
  if (total === 0)
    for (const { record } of publications) reader.usage?.countMissed(record, query, false, reader.network)
  const hint = applicable(
    [total === 0, 'Nothing matches these words. Try fewer or other words, or list_pages.'],
    [guides.length < publications.length, NO_INDEX],
    [project === '' && reader.projects.length > MAX_PROJECTS, MORE_PROJECTS],
  )
  const entries = fittingEntries(results.filter(result => result !== undefined))
  return ok({ total, results: entries, ...withoutUndefined({ hint }) })
}

/** Characters: the maximum of one excerpt, and of all. */
const MAX_EXCERPT = 1000
const MAX_EXCERPTS = 14_000
const NO_INDEX = 'The search index is not ready yet. Try again in ten seconds, or call list_pages and get_page.'
const MORE_PROJECTS = `Only the first ${MAX_PROJECTS} projects were searched. Name a project.`
/** The longest wait for an index that is being built. */
const MAX_WAIT_MS = 10_000

type GuideHit = OpenGuide & Pick<Answers, 'isWanted'> & Pick<Hit, 'entry' | 'score'>

/** The number of matching items in all guides, and the best entries, best first. */
async function bestIn(guides: readonly OpenGuide[], query: string, limit: number) {
  const colors = guides.flatMap(({ items }) => items.colors)
  const answers = answerQuestion(guides, await withGuideColors(query, colors))
  const hits: GuideHit[] = []
  let total = 0
  for (const [at, guide] of guides.entries()) {
    const answer = answers[at]
    if (!answer) continue
    const { count, best } = bestHits(guide.index, answer, limit, guide.isShown)
    total += count
    for (const { entry, score } of best) hits.push({ ...guide, entry, score, isWanted: answer.isWanted })
  }
  return { total, hits: hits.sort((one, other) => other.score - one.score).slice(0, limit) }
}

/** Opens the project that a search names, or the first ones of the reader if it names none. */
function openProjects(reader: Reader, project: string): Result<Publication[], string> {
  if (project !== '') {
    const one = openProject(reader, project)
    return one.ok ? ok([one.value]) : one
  }
  return ok(reader.projects.slice(0, MAX_PROJECTS).flatMap(record => reader.openPublication(record) ?? []))
}

type OpenGuide = {
  publication: Publication
  index: SearchIndex
  items: SearchItems
  isShown: (entry: number) => boolean
}

/** Opens the index of a project. Undefined while there is none. */
async function openGuide(reader: Reader, publication: Publication): Promise<OpenGuide | undefined> {
  const index = await indexInTime(reader, publication)
  if (!index) return undefined
  const items = await searchItemsOf(publication.content)
  return { publication, index, items, isShown: shownEntries(reader, items, publication.content.today()) }
}

/** The index of a project; undefined if it is not ready in time, or cannot be made now. */
async function indexInTime(reader: Reader, publication: Publication): Promise<SearchIndex | undefined> {
  try {
    return await withTimeout(MAX_WAIT_MS, reader.index(publication), () => undefined)
  } catch (error) {
    if (isIndexMissing(error)) return undefined
    throw error
  }
}

/** Selects the entries that the scopes of the reader cover, without files whose rights have ended. */
function shownEntries({ scopes }: Reader, { colors, types, files }: SearchItems, today: string) {
  const styles = colors.length + types.length
  return (entry: number): boolean => {
    if (entry < styles) return scopes.has('styles.read')
    const file = files[entry - styles]
    return !file || (scopes.has('files.read') && !isExpired(file, today))
  }
}

/** A hit as a result; undefined if its content is gone. A part of a page has the Markdown of its section. */
async function resultOf(reader: Reader, hit: GuideHit, maxText: number) {
  const { publication, index } = hit
  const target = index.targetOf(hit.entry, hit.items)
  if (!target) return undefined
  if (target.kind !== 'page') {
    const { id, title, url, text, page } = await itemOf(reader, publication, target)
    return { id, title, url, text, project: publication.record.project, page }
  }
  const { of: page, heading, anchor } = target
  const { text, sections } = await readPage(reader, publication, page)
  const section = sections.find(each => each.anchor === anchor) ?? sections[0]
  const sectionText = section ? text.slice(section.start, section.ownEnd) : text
  const lead = anchor === '' && page.description !== undefined ? `${page.description}\n\n` : ''
  const address = reader.addresses.page(publication.record, page.id)
  const { project } = publication.record
  return {
    id: contentId('page', project, page.id, { anchor }),
    title: heading === '' ? page.name : `${page.name}: ${heading}`,
    url: anchor === '' ? address : `${address}#${encodeURIComponent(anchor)}`,
    text: lead + excerpt(sectionText, hit.isWanted, maxText),
    project,
    page: page.id,
  }
}

/**
 * The Markdown around the first wanted word, without addresses of links and places for hyphens. A table that is cut keeps
 * its header.
 */
function excerpt(markdown: string, isWanted: (word: Word) => boolean, max: number): string {
  const text = withoutAddresses(markdown.slice(0, MAX_READ)).trim()
  if (text.length <= max) return text
  const firstWanted = wordsOf(text).find(isWanted)?.start ?? 0
  // From the beginning if the word is in the first half; else, a third of the excerpt comes before the word.
  const start = firstWanted < max / 2 ? 0 : lineStart(text, Math.floor(firstWanted - max / 3))
  // To the last space that fits, unless that is before the word.
  const wordEnd = text.length <= start + max ? text.length : text.lastIndexOf(' ', start + max)
  const end = wordEnd > firstWanted ? wordEnd : start + max
  const lead = start === 0 ? '' : `…\n${tableHeader(text, start)}`
  return `${lead}${text.slice(start, end).toWellFormed()}${end < text.length ? ' …' : ''}`
}

/** Characters of a section in which a search looks for the wanted words. */
const MAX_READ = 10_000

/** Removes comments and soft hyphens, and keeps of `[text](address "title")` the text and the title. */
function withoutAddresses(markdown: string): string {
  return markdown
    .replace(/<!--[\s\S]{0,1000}?-->\n?|<wbr ?\/?>|&(?:shy|#173|#xad);/gi, '')
    .replace(
      /!?\[([^[\]]{0,1000})\]\((?:<[^<>]{0,1000}>|[^\s()]{0,1000})(?:\s+"([^"\n]{0,500})")?\)/g,
      (_, text: string, title: string | undefined) =>
        title === undefined || isLoopTitle(title) ? text : `${text} (${title})`,
    )
}

/** The start of the line at a position; if its line is long, that of the next word. */
function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at) + 1
  return at - start < MAX_LINE ? start : text.indexOf(' ', at) + 1
}

const MAX_LINE = 300

/** The first two lines of the table that a line is in the middle of; empty for any other line. */
function tableHeader(text: string, at: number): string {
  if (text[at] !== '|') return ''
  // Goes up line by line, from the start of each to that of the line before it, as long as they are rows of the table.
  let tableStart = at
  for (let line = at; line > 0 && text[line] === '|'; line = text.lastIndexOf('\n', line - 2) + 1) tableStart = line
  const header = text.slice(tableStart, at).split('\n').slice(0, 2)
  return header.length === 2 && /^[|:\- ]+$/.test(header[1] ?? '') ? `${header.join('\n')}\n` : ''
}
