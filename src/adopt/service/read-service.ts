import { lstat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { FILE_FIELDS, FILE_OVERRIDE_KEYS, type FileOverrides } from '#brand/file.ts'
import { isPageId, isProjectId, isStyleId, isWorkspaceId, slug } from '#brand/ids.ts'
import { foldPath, safeName, visibleName } from '#brand/portable-paths.ts'
import { type FoundStyle, noteLines } from '#brand/tokens/found-styles.ts'
import { isObject, type Json, type JsonObject, jsonText, objectMember, textMember } from '#formats/json/json.ts'
import { unescapeText } from '#formats/markdown/character-reference.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { relativePath } from '#intake/pages/link-target.ts'
import { FILE_KINDS } from '#intake/schema/files.ts'
import { readValues } from '#intake/schema/kinds.ts'
import type { Fields } from '#intake/yaml/fields.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { addTo, pick, withoutUndefined } from '#platform/base/object.ts'
import { applyEdits, lineCounter, percentDecoded, withoutLastSlash } from '#platform/base/text.ts'
import { checkFields, type GuideStyles, guideStyles } from '../conversion/guide-styles.ts'
import { colorsYaml, typesYaml } from '../conversion/style-files.ts'
import { type Report, uniqueNames } from '../report/report.ts'
import { fileEntry } from '../sources/folder.ts'
import type { NewFile } from '../sources/source.ts'
import { openRequests, type RequestOptions, type ServiceRequests } from './requests.ts'

type ServiceOptions = Omit<RequestOptions, 'base'> & {
  /** Begins the paths in the report. */
  label: string
  /** Gives each project its own folder. */
  takeName: (wanted: string) => string
  /** A folder for downloads until the new folder is written. */
  downloads: string
  report: Report
}

/** The brand folder of what a service replies, with its `workspace.yaml` as an object. */
export type ServiceCopy = { files: NewFile[]; workspace: { id: string; name?: string } }

/**
 * Reads the projects of a service that keeps the API, with nothing but its seven operations and the addresses of files.
 *
 * @throws OperationalError that names the request that failed
 */
export async function readService(address: string, options: ServiceOptions): Promise<ServiceCopy> {
  const { report } = options
  const { base, workspace, project } = partsOf(address)
  const requests = openRequests({ base, ...options })
  const root = `workspace/${encodeURIComponent(workspace)}`
  const isWhole = project === ''
  const name = isWhole ? memberName(report, options.label + workspace, await requests.reply(root)) : undefined
  const ids = isWhole
    ? listOf(await requests.reply(`${root}/projects`), 'projects').map(each => textOf(each, 'id'))
    : [project]
  const files: NewFile[] = []
  const named = ids.map(id => [id, id] as const)
  for (const { given: id, own: to } of ownIds(report, options.label, named, isProjectId, options.takeName)) {
    const path = `${root}/project/${encodeURIComponent(id)}`
    const reader: Reader = { ...options, requests, base, path, id: options.label + id, to }
    options.progress(`reading ${reader.id}`)
    const project = await requests.reply(path).catch((error: unknown) => {
      const isUncovered = error instanceof OperationalError && UNCOVERED.has(error.cause)
      if (!(isWhole && isUncovered)) throw error
      report.leftOut.push({ path: reader.id, reason: 'the service does not give it', detail: error.message })
    })
    if (project) files.push(...(await readProject(reader, project)))
  }
  if (report.projects.length === 0)
    throw new OperationalError('source_empty', `${address} has no project that the token covers`)
  const [{ own: id } = { own: workspace }] = ownIds(report, options.label, [[workspace, workspace]], isWorkspaceId)
  return { files, workspace: withoutUndefined({ id, name }) }
}

/** The statuses of a project in the list that the token does not cover. */
const UNCOVERED: ReadonlySet<unknown> = new Set([403, 404])

/** The parts of an address; `project` is empty if it is a workspace. */
function partsOf(address: string): { base: string; workspace: string; project: string } {
  const parts = /^(?<base>https?:\/\/[^?#]*)\/workspace\/(?<workspace>[^/?#]+)(?:\/project\/(?<project>[^/?#]+))?\/?$/i
  const { base = '', workspace = '', project = '' } = parts.exec(address)?.groups ?? {}
  if (base !== '') return { base, workspace: percentDecoded(workspace), project: percentDecoded(project) }
  const message = `${address} is not the address of a workspace or project: write https://host/beta/workspace/ID, and /project/ID after it for one project`
  throw new OperationalError('source_unknown', message)
}

/** The text of a field, or another one if there is none. */
function textOf(object: JsonObject, name: string, other = ''): string {
  return textMember(object, name) ?? other
}

/** A project, page or style with the id that the service gave it, and its own id here. */
type Identified<Item> = { item: Item; given: string; own: string }

/** Gives each item an id: that of the service if it is valid, which comes first, or else a slug that no other has, which is guessed. */
function ownIds<Item>(
  report: Report,
  above: string,
  items: readonly (readonly [given: string, item: Item])[],
  isValid: (id: string) => boolean,
  take = uniqueNames(),
): Identified<Item>[] {
  const all = items.map(([given, item]) => ({ item, given, own: given }))
  const { valid = [], invalid = [] } = Object.groupBy(all, ({ given }) => (isValid(given) ? 'valid' : 'invalid'))
  for (const each of [...valid, ...invalid]) {
    const { given } = each
    const slugs = [given.split('/').map(slug).filter(Boolean).join('/'), slug(given)]
    const cut = MAX_SLUGS.flatMap(max => slugs.map(text => text.slice(0, max).replace(/(?<![-/])[-/]+$/, '')))
    each.own = take([given, ...cut].find(isValid) ?? 'unnamed')
    if (each.own !== given) report.guessed.push({ path: above + given, key: 'id', value: each.own, why: ID_WHY })
  }
  return all
}

const ID_WHY = 'an id here has only lower-case letters, digits and hyphens, and belongs to one thing'

/** For pages and styles, and for projects and workspaces, with space for a number. */
const MAX_SLUGS = [180, 55]

/** The name of something; one with control characters, which no file of a guide may have, is lost. */
function memberName(report: Report, path: string, named: JsonObject): string | undefined {
  const name = textMember(named, 'name')
  if (name === undefined || !/\p{Cc}/u.test(name)) return name
  report.lost.push({ path, line: 1, what: 'a name with control characters', text: name })
  return undefined
}

/** `path` is that of a project in the API, `id` the project in the report, and `to` the new folder. */
type Reader = ServiceOptions & { requests: ServiceRequests; base: string; path: string; id: string; to: string }

async function readProject(reader: Reader, project: JsonObject): Promise<NewFile[]> {
  const { requests, report, path, id, to } = reader
  loseOthers(report, id, project, PROJECT_KEYS)
  const pages = listOf(await requests.reply(`${path}/pages`), 'pages')
  const { colors, types } = readStyles(reader, await requests.reply(`${path}/styles`))
  const files = await readFiles(reader, listOf(await requests.reply(`${path}/files`), 'files'))
  const texts = await readPages(reader, pages, textOf(project, 'url', reader.base), files.targets)
  const counts = { pages: pages.length, colors: colors.length, types: types.length, files: files.files.length }
  report.projects.push({ project: to, ...counts })
  const name = memberName(report, id, project) ?? id
  const [first] = [texts.first].filter(({ length }) => length > 0)
  const lists = [
    { to: 'project.yaml', content: stringify(withoutUndefined({ id: to, name, visibility: 'private', pages: first })) },
    { to: 'files/files.yaml', content: files.yaml },
    { to: 'styles/colors.yaml', content: colorsYaml(colors) },
    { to: 'styles/types.yaml', content: typesYaml(types) },
  ].filter(({ content }) => content !== '')
  for (const { to: place } of lists)
    if (place.startsWith('styles/')) report.merged.push({ from: `${id}/styles`, into: `${to}/${place}` })
  return [...lists, ...texts.files, ...files.files].map(each => ({ ...each, to: `${to}/${each.to}` }))
}

const IDS = ['workspace', 'project', 'name']
const PROJECT_KEYS = [...IDS, 'status', 'createdAt', 'updatedAt', 'url', 'publishedAt']
const PAGE_KEYS = [...IDS, 'id', 'page', 'content']
const FILE_KEYS = ['filename', 'size', 'contentType', 'url', 'metadata']

/** What a reply has beside the fields of the API is lost. */
function loseOthers(report: Report, path: string, object: JsonObject, keys: readonly string[]): void {
  for (const [key, value] of object)
    if (!keys.includes(key) && !EMPTY.has(value))
      report.lost.push({ path, line: 1, what: 'field', detail: key, text: jsonText(value) })
}

const EMPTY: ReadonlySet<Json> = new Set([null, ''])

/** The pages in the order of the list: the first in `pages`, the others by `order`. */
async function readPages(reader: Reader, listed: readonly JsonObject[], url: string, targets: Map<string, string>) {
  const { requests, report, path, base } = reader
  const ids = listed.map(page => [textOf(page, 'id'), page] as const)
  const pages = ownIds(report, `${reader.id}/page/`, ids, isPageId)
  for (const { given, own } of pages)
    for (const address of given === 'index' ? [url, `${url}/index`] : [`${url}/${given}`])
      targets.set(addressKey(address, base), placeOf(own))
  const files: NewFile[] = []
  for (const [at, { item, given, own }] of pages.entries()) {
    const [from, to] = [`${reader.id}/page/${given}`, placeOf(own)]
    const reply = await requests.reply(`${path}/page/${encodeURIComponent(given)}`)
    for (const each of [item, reply]) loseOthers(report, from, each, PAGE_KEYS)
    const content = textOf(reply, 'content')
    const ending = { path: from, line: 1, what: 'CR at ends of lines', became: 'LF alone' }
    if (content.includes('\r')) report.converted.push(ending)
    const text = withOwnAddresses(reader, content, { from, to }, url, targets)
    const title = memberName(report, from, item) ?? given
    const meta = stringify({ title, id: own, order: at + 1 }, { lineWidth: 0 })
    files.push({ to, content: `---\n${meta}---\n${text}` })
    report.placed.push({ from, to: `${reader.to}/${to}` })
  }
  return { first: pages.map(({ own }) => own).slice(0, MAX_FIRST), files }
}

/** The file of a page. */
function placeOf(id: string): string {
  return `pages/${id.split('/').map(safeName).join('/')}.md`
}

/** The limit of `pages` in project.yaml. */
const MAX_FIRST = 100

/** Links to the project's own files and pages lead to their new places; others into its website are lost. */
function withOwnAddresses(
  { base, report }: Reader,
  text: string,
  page: { from: string; to: string },
  url: string,
  targets: ReadonlyMap<string, string>,
): string {
  const edits = readMarkdown(text).links.flatMap(({ start, source, syntax }) => {
    const address = unescapeText(source.trim(), syntax)
    const key = URL.canParse(address) ? addressKey(address, base) : ''
    const to = targets.get(key)
    if (to === undefined) {
      const isOfSite = key.startsWith(`${addressKey(url, base)}/`)
      if (isOfSite) report.lost.push({ path: page.from, line: lineCounter(text)(start), what: 'link', text: address })
      return []
    }
    const hash = source.slice(source.split('#', 1).join('').length)
    return [{ start, end: start + source.length, text: encodeURI(relativePath(page.to, to)) + hash }]
  })
  return applyEdits(text, edits)
}

/** The same for all ways of writing an address. */
function addressKey(address: string, base: string): string {
  const { origin, pathname } = URL.parse(address, base) ?? { origin: '', pathname: address }
  return origin + withoutLastSlash(percentDecoded(pathname))
}

function readStyles({ report, id }: Reader, reply: JsonObject): GuideStyles {
  const found = (list: string): FoundStyle[] => {
    const listed = listOf(reply, list).map(style => [textOf(style, 'id', textOf(style, 'name')), style] as const)
    return ownIds(report, `${id}/styles/`, listed, isStyleId).map(({ item, given, own }) => {
      const fields = new Map([...item].filter(([key]) => key !== 'id' && key !== 'name'))
      if (textMember(item, 'hex') !== undefined) fields.delete('rgb') // One of them is enough.
      return { id: own, name: textOf(item, 'name', given), fields }
    })
  }
  const read = { colors: found('colors'), types: found('types'), notes: new Map() }
  const styles = guideStyles([read])
  if (!styles.ok) throw new OperationalError('source_unreadable', `the styles of ${id}: ${styles.problem}`)
  for (const text of noteLines(read.notes)) report.lost.push({ path: `${id}/styles`, line: 1, what: 'a style', text })
  return styles.value
}

async function readFiles(reader: Reader, listed: readonly JsonObject[]) {
  const { requests, report, base, id, to } = reader
  const [counts, targets, described] = [new Map<string, number>(), new Map<string, string>(), new Map<string, object>()]
  const files: NewFile[] = []
  for (const [at, file] of listed.entries()) {
    const given = textOf(file, 'filename', 'file')
    const from = `${id}/files/${given}`
    const url = textOf(file, 'url')
    if (at % 50 === 49) reader.progress(`${at + 1} of ${listed.length} files of ${id}`)
    try {
      if (url === '') throw new Error('it has no address')
      const download = join(reader.downloads, `${to}-${at}`)
      await writeFile(download, await requests.file(url))
      const name = fileName(given)
      if (name !== given) report.guessed.push({ path: from, key: 'filename', value: name, why: NAME_WHY })
      const same = addTo(counts, foldPath(name), 1)
      // A folder of its own, so that another file of this name keeps it.
      const place = same > 1 ? `${same}/${name}` : name
      targets.set(addressKey(url, base), `files/${place}`)
      const facts = fileFacts(report, from, file)
      if (Object.keys(facts).length > 0) described.set(place, facts)
      files.push({ to: `files/${place}`, content: fileEntry(download, name, '', await lstat(download)) })
      report.placed.push({ from, to: `${to}/files/${place}` })
    } catch (error) {
      reader.signal.throwIfAborted()
      report.leftOut.push({ path: from, reason: 'it could not be fetched', detail: errorMessage(error) })
    }
  }
  const yaml = described.size > 0 ? stringify(Object.fromEntries(described), { lineWidth: 0 }) : ''
  return { files, targets, yaml }
}

const NAME_WHY = 'this name is not possible on all disks, or not in a brand folder'

/** Names with a dot or _ in front are not read, and files.yaml is ours. */
function fileName(given: string): string {
  const name = safeName(visibleName(given.replaceAll('/', '-').replaceAll('\\', '-')))
  return name === '' || name === 'files.yaml' ? `file-${name}` : name
}

/** The facts of a file that files.yaml can give; others are lost. */
function fileFacts(report: Report, path: string, file: JsonObject): object {
  const metadata = objectMember(file, 'metadata') ?? new Map<string, Json>()
  const [contentType = ''] = textOf(file, 'contentType').split(';')
  const fields = new Map<string, Json>([...metadata, ['contentType', contentType.trim() || null]])
  const facts = checkFields({ name: '', fields }, 0, FILE_OVERRIDE_KEYS, readFacts, new Map())
  loseOthers(report, path, metadata, Object.keys(facts))
  loseOthers(report, path, file, FILE_KEYS)
  return facts
}

function readFacts(fields: Fields<keyof FileOverrides>): FileOverrides {
  return readValues(fields, pick(FILE_FIELDS, FILE_OVERRIDE_KEYS), FILE_KINDS)
}

function listOf(reply: JsonObject, name: string): readonly JsonObject[] {
  const list = reply.get(name) ?? []
  if (Array.isArray(list) && list.every(isObject)) return list
  throw new OperationalError('source_unreadable', `the service replied with "${name}" that is no list of objects`)
}
