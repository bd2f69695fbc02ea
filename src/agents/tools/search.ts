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
import { colorItem, fileItem, type Item, typeItem } from './items.ts'
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
  const searched = await Promise.all(opened.value.map(publication => openGuide(reader, publication)))
  const ready = searched.filter(each => each !== undefined)
  if (ready.length === 0 && searched.length > 0) return failed(NO_INDEX)
  const answers = await answerQuestion(ready, query)
  const found = ready.flatMap((guide, at) => {
    const matches = answers[at]
    return matches ? [{ ...guide, matches, ...bestHits(guide.index, matches, limit, guide.isShown) }] : []
  })
  const best = found
    .flatMap(each => each.best.map(hit => ({ ...each, hit })))
    .sort((a, b) => b.hit.score - a.hit.score)
    .slice(0, limit)
  const maxText = Math.min(MAX_EXCERPT, Math.floor(MAX_EXCERPTS / limit))
  const results = await Promise.all(best.map(each => resultOf(reader, each, maxText)))
  const total = found.reduce((sum, { count }) => sum + count, 0)
  const hints = [
    total === 0 && 'Nothing matches these words. Try fewer or other words, or list_pages.',
    ready.length < searched.length && NO_INDEX,
    project === '' &&
      reader.projects.length > MAX_PROJECTS &&
      `Only the first ${MAX_PROJECTS} projects were searched. Name a project.`,
  ].filter(Boolean)
  return ok({
    total,
    results: fittingEntries(results.filter(result => result !== undefined)),
    ...(hints.length > 0 && { hint: hints.join(' ') }),
  })
}

const MAX_PROJECTS = 20
/** Characters: the maximum of one excerpt, and of all. */
const MAX_EXCERPT = 1000
const MAX_EXCERPTS = 14_000
const NO_INDEX = 'The search index is not ready yet. Try again in ten seconds, or call list_pages and get_page.'
const MAX_WAIT_MS = 10_000

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

type Found = OpenGuide & { matches: Answers; hit: Hit }

async function resultOf(reader: Reader, { publication, index, items, matches, hit }: Found, maxText: number) {
  const target = index.targetOf(hit.entry, items)
  if (!target) return undefined
  if (target.kind !== 'page') {
    const item = await itemOf(reader, publication, target)
    return {
      id: item.id,
      title: item.title,
      url: item.url,
      text: item.text,
      project: publication.record.project,
      page: item.page,
    }
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
    text: lead + excerpt(own, matches.isWanted, maxText),
    project,
    page: page.id,
  }
}

type ItemTarget = Exclude<NonNullable<ReturnType<SearchIndex['targetOf']>>, { kind: 'page' }>

function itemOf(reader: Reader, publication: Publication, target: ItemTarget): Promise<Item> {
  if (target.kind === 'color') return colorItem(reader, publication, target.of)
  return target.kind === 'type' ? typeItem(reader, publication, target.of) : fileItem(reader, publication, target.of)
}
