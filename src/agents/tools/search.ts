import { withTimeout } from '../../base/promise.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { isExpired } from '../../brand/file.ts'
import { bestHits, type Hit } from '../../search/best-entries.ts'
import { isIndexMissing } from '../../search/indexer.ts'
import { type Answers, answerQuestion, questionWords } from '../../search/question.ts'
import { type SearchIndex, type SearchItems, searchItemsOf } from '../../search/search-index.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { contentId } from './content-id.ts'
import { excerpt } from './excerpt.ts'
import { itemOf } from './items.ts'
import { readPage } from './page-text.ts'
import { openProject, type Reader } from './reader.ts'
import { fittingEntries } from './reply-size.ts'
import type { Arguments } from './tool.ts'

/** Searches one project, or all projects of the reader. The best results come first. */
export async function search(
  reader: Reader,
  { query, project, limit = 10 }: Arguments,
): Promise<Result<object, string>> {
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
  const hints: string[] = []
  if (total === 0) hints.push('Nothing matches these words. Try fewer or other words, or list_pages.')
  if (guides.length < publications.length) hints.push(NO_INDEX)
  if (project === '' && reader.projects.length > MAX_PROJECTS)
    hints.push(`Only the first ${MAX_PROJECTS} projects were searched. Name a project.`)
  const entries = fittingEntries(results.filter(result => result !== undefined))
  return ok({ total, results: entries, ...(hints.length > 0 && { hint: hints.join(' ') }) })
}

const MAX_PROJECTS = 20
/** Characters: the maximum of one excerpt, and of all. */
const MAX_EXCERPT = 1000
const MAX_EXCERPTS = 14_000
const NO_INDEX = 'The search index is not ready yet. Try again in ten seconds, or call list_pages and get_page.'
const MAX_WAIT_MS = 10_000

type GuideHit = OpenGuide & Pick<Answers, 'isWanted'> & Pick<Hit, 'entry' | 'score'>

/** The number of matching items in all guides, and the best entries, best first. */
async function bestIn(guides: readonly OpenGuide[], query: string, limit: number) {
  const answers = answerQuestion(guides, query)
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
  const own = section ? text.slice(section.start, section.ownEnd) : text
  const lead = anchor === '' && page.description !== undefined ? `${page.description}\n\n` : ''
  const address = reader.addresses.page(publication.record, page.id)
  const { project } = publication.record
  return {
    id: contentId('page', project, page.id, { anchor }),
    title: heading === '' ? page.name : `${page.name}: ${heading}`,
    url: anchor === '' ? address : `${address}#${encodeURIComponent(anchor)}`,
    text: lead + excerpt(own, hit.isWanted, maxText),
    project,
    page: page.id,
  }
}
