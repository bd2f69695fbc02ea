import { basename, extname } from 'node:path/posix'
import { fileStem } from '#brand/file.ts'
import { type Budget, spend } from '#formats/json/budget.ts'
import { csvRows } from '#formats/palette/csv-rows.ts'
import { yamlValue } from '#formats/yaml/document.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { attempt } from '#platform/base/result.ts'
import { inFormats } from '#platform/base/text.ts'
import type { SiteFacts } from '../sources/facts.ts'
import { dataOf, inFolder, isBelow, settingsOf } from '../sources/settings.ts'
import type { Entry } from '../sources/source.ts'
import { templateAddress } from './markup.ts'

/**
 * The variables of a site for its templates, as Jekyll names them: its settings, the files with data, its pages, and the
 * documents of its collections with their text. All paths begin at the folder of the settings.
 */
export async function siteValues(
  all: readonly Entry[],
  { settings, liquidBase: base = '' }: Pick<SiteFacts, 'settings' | 'liquidBase'>,
): Promise<object> {
  const entries = all.filter(({ path }) => isBelow(path, base))
  const config = Object(await readValue(entries.filter(({ path }) => path === settings)))
  const { text } = settingsOf(settings, base, config)
  const budget = { left: MAX_BYTES }
  const dataFolder = inFolder(base, text(['data_dir']) || '_data')
  const data: Value[] = []
  for (const entry of entries.filter(({ path }) => isBelow(path, dataFolder)))
    if (spend(budget, entry.size))
      data.push({ path: entry.path.slice(dataFolder.length + 1), value: await readValue([entry]) })
  const documents = await documentsIn(entries, budget)
  const collections = Map.groupBy(documents, ({ collection }) => collection)
  const pages = collections.get('') ?? []
  const posts = (collections.get('posts') ?? []).toReversed()
  return {
    ...config,
    ...Object.fromEntries(collections),
    // Addresses are paths from the root of the site.
    baseurl: '',
    data: treeOf(data),
    pages,
    html_pages: pages,
    posts,
    documents: documents.filter(({ collection }) => collection !== ''),
    collections: Array.from(collections, ([label, docs]) => ({ label, docs })),
  }
}

/** Whether a file only has what templates of a site show. */
export function isSiteData(path: string, { settings, liquidBase: base }: SiteFacts): boolean {
  return base !== undefined && (path === settings || isBelow(path, inFolder(base, '_data')))
}

/** All files together, with the text of documents. */
const MAX_BYTES = 2 << 20

type Value = { path: string; value: unknown }

/** The value of the first of these files, if it has data. */
async function readValue([entry]: readonly Entry[]): Promise<unknown> {
  if (entry === undefined) return undefined
  const delimiter = DELIMITERS.get(extname(entry.path))
  if (delimiter === undefined) return await dataOf(entry)
  const text = await entry.read(MAX_BYTES).then(String, () => '')
  const [header = [], ...rows] = attempt(() => csvRows(text, delimiter)) ?? []
  return rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at]])))
}

const DELIMITERS = new Map([
  ['.csv', ','],
  ['.tsv', '\t'],
])

/** Values by the names of their files, and of their folders around these. */
function treeOf(values: readonly Value[]): object {
  const groups = Map.groupBy(values, ({ path }) => path.split('/', 1).join())
  const fields = Array.from(groups, ([name, inside]) => {
    const [{ path = '', value } = {}] = inside
    const below = inside.map(each => ({ ...each, path: each.path.slice(name.length + 1) }))
    return path.includes('/') ? [name, treeOf(below)] : [fileStem(name), value]
  })
  return Object.fromEntries(fields)
}

/** The front matter of pages, and of documents in the folders of collections such as `_components`, which is theirs. */
async function documentsIn(entries: readonly Entry[], budget: Budget) {
  const documents: { collection: string; path: string }[] = []
  for (const { path, size, read } of entries.filter(entry => PAGES.test(entry.path)).slice(0, MAX_PAGES)) {
    const [folder = ''] = path.split('/').filter(name => name.startsWith('_'))
    const collection = folder === '_pages' ? '' : folder.slice(1)
    if (NO_COLLECTIONS.includes(collection) || basename(path) === folder || !spend(budget, Math.min(size, MAX_PAGE)))
      continue
    const { yaml, content } = splitFrontMatter(await read(MAX_PAGE).then(String, () => ''))
    if (yaml === undefined) continue
    const own = Object(attempt(() => yamlValue(yaml)))
    const slug = fileStem(path)
    const [date] = /^\d{4}-\d\d-\d\d/.exec(slug) ?? []
    documents.push({
      date,
      ...own,
      collection,
      slug,
      path,
      url: templateAddress(path),
      ...(collection !== '' && { content }),
    })
  }
  return documents.sort((a, b) => a.path.localeCompare(b.path, 'en'))
}

const PAGES = inFormats('md, markdown, html')
const MAX_PAGES = 1000
const MAX_PAGE = 1 << 16
/** The folders of the parts of a site. */
const NO_COLLECTIONS = ['includes', 'layouts', 'data', 'sass', 'drafts', 'site', 'plugins']
