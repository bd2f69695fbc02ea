import { lstat, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { OperationalError } from '#base/error.ts'
import { withoutUndefined } from '#base/object.ts'
import { percentDecode } from '#base/text.ts'
import { isPageId, isProjectId, isStyleId, isWorkspaceId, slug } from '#brand/ids.ts'
import { openPathAllocator } from '#brand/portable-paths.ts'
import type { FoundStyle } from '#conversion/found-styles.ts'
import { noteLines } from '#conversion/found-styles.ts'
import { guideStyles } from '#conversion/guide-styles.ts'
import { isObject, type Json, type JsonObject, member, textMember } from '#conversion/json.ts'
import { colorsYaml, typesYaml } from '#conversion/style-files.ts'
import { emptyReport, type Report, uniqueNames } from '../report/report.ts'
import { fileEntry } from '../sources/folder.ts'
import type { NewFile } from '../sources/source.ts'
import { NotCovered, openRequests, reasonFor, type ServiceRequests } from './requests.ts'

/** The address of a workspace or project of a service: `https://host/beta/workspace/acme/project/guidelines`. */
export function isServiceAddress(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

type ServiceOptions = {
  token: string
  /** Begins the paths in the report. */
  label: string
  /** Gives each project its own folder. */
  takeName: (wanted: string) => string
  signal: AbortSignal
  progress: (step: string) => void
}

/** A brand folder of what a service replies. Its files are in a temporary folder until it is closed. */
export type ServiceCopy = {
  report: Report
  files: NewFile[]
  workspace: { id?: string; name?: string }
} & AsyncDisposable

/**
 * Reads the projects of a service that keeps the API, with nothing but its seven operations and the addresses of files.
 *
 * @throws OperationalError that names the request that failed
 */
export async function readService(address: string, options: ServiceOptions): Promise<ServiceCopy> {
  const { base, workspace, project } = partsOf(address)
  const requests = openRequests({ base, ...options })
  const root = `workspace/${encodeURIComponent(workspace)}`
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-service-'))
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    const name = project === undefined ? textMember(await requests.reply(root), 'name') : undefined
    const listed = project === undefined ? listOf(await requests.reply(`${root}/projects`), 'projects') : undefined
    const ids = listed?.flatMap(each => textMember(each, 'id') ?? []) ?? [project ?? '']
    const report = emptyReport()
    const files: NewFile[] = []
    for (const id of ids) {
      const to = options.takeName(isProjectId(id) ? id : slug(id).slice(0, MAX_PROJECT_ID) || 'project')
      const shown = options.label + id
      if (to !== id) report.guessed.push({ path: shown, key: 'id', value: to, why: ID_WHY })
      const reader = {
        requests,
        report,
        options,
        path: `${root}/project/${encodeURIComponent(id)}`,
        folder,
        id: shown,
        to,
      }
      const read = await readProject(reader).catch((error: unknown) => {
        if (!listed || !(error instanceof NotCovered)) throw error
        report.leftOut.push({ path: shown, reason: error.message })
        return []
      })
      files.push(...read)
    }
    const place = withoutUndefined({ id: isWorkspaceId(workspace) ? workspace : undefined, name })
    return { report, files, workspace: place, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

const MAX_PROJECT_ID = 60
const ID_WHY = 'an id here has only lower-case letters, digits and hyphens'

function partsOf(address: string): { base: string; workspace: string; project: string | undefined } {
  const [, base = '', workspace = '', project] =
    /^(https?:\/\/[^?#]*)\/workspace\/([^/?#]+)(?:\/project\/([^/?#]+))?\/?$/i.exec(address) ?? []
  if (base === '') {
    const message = `${address} is not the address of a workspace or project: write https://host/beta/workspace/ID, and /project/ID after it for one project`
    throw new OperationalError('source_unknown', message)
  }
  return {
    base,
    workspace: percentDecode(workspace) ?? workspace,
    project: project === undefined ? undefined : (percentDecode(project) ?? project),
  }
}

type Reader = {
  requests: ServiceRequests
  report: Report
  options: ServiceOptions
  /** Of the project in the API. */
  path: string
  folder: string
  /** The project in the report. */
  id: string
  /** The new folder. */
  to: string
}

async function readProject(reader: Reader): Promise<NewFile[]> {
  const { requests, report, options, path, id, to } = reader
  options.progress(`reading ${id}`)
  const project = await requests.reply(path)
  const pages = listOf(await requests.reply(`${path}/pages`), 'pages')
  const styles = await readStyles(reader, await requests.reply(`${path}/styles`))
  const addresses = new Map<string, string>()
  const files = await readFiles(reader, listOf(await requests.reply(`${path}/files`), 'files'), addresses)
  const texts = await readPages(reader, pages, textMember(project, 'url'), addresses)
  report.projects.push({ project: to, pages: pages.length, ...styles.counts, files: files.length })
  const projectYaml = stringify({
    id: to,
    name: textMember(project, 'name') ?? id,
    visibility: 'private',
    ...(texts.first.length > 0 && { pages: texts.first }),
  })
  return [{ to: `${to}/project.yaml`, content: projectYaml }, ...styles.files, ...texts.files, ...files]
}

/** The pages in the order of the list: the first in `pages`, the others by `order`. */
async function readPages(reader: Reader, pages: readonly JsonObject[], url: string | undefined, files: Addresses) {
  const { requests, report, path, to } = reader
  const takeId = uniqueNames()
  const places = pages.map(page => {
    const id = textMember(page, 'id') ?? ''
    const kept = takeId(
      isPageId(id) ? id : id.split('/').map(slug).filter(Boolean).join('/').slice(0, MAX_ID) || 'page',
    )
    const file = `pages/${kept}.md`
    if (kept !== id) report.guessed.push({ path: `${reader.id}/page/${id}`, key: 'id', value: kept, why: ID_WHY })
    return { id, kept, file, name: textMember(page, 'name') ?? id }
  })
  const addresses = new Map(files)
  for (const { id, file } of url === undefined ? [] : places) {
    addresses.set(`${url}/${id}`, file)
    if (id === 'index') addresses.set(`${url}`, file)
  }
  const written: NewFile[] = []
  for (const [at, { id, kept, file, name }] of places.entries()) {
    const reply = await requests.reply(`${path}/page/${encodeURIComponent(id)}`)
    const text = withOwnAddresses(textMember(reply, 'content') ?? '', file, addresses)
    const meta = stringify({ title: name, id: kept, order: at + 1 }, { lineWidth: 0 })
    written.push({ to: `${to}/${file}`, content: `---\n${meta}---\n${text}` })
    report.placed.push({ from: `${reader.id}/page/${id}`, to: `${to}/${file}` })
  }
  return { first: places.slice(0, MAX_FIRST).map(({ kept }) => kept), files: written }
}

const MAX_ID = 200
/** The limit of `pages` in project.yaml. */
const MAX_FIRST = 100

/** The new path in the project of each address. */
type Addresses = ReadonlyMap<string, string>

/** Addresses of the project's own files and pages lead to their new places, except in code. */
function withOwnAddresses(text: string, page: string, addresses: Addresses): string {
  const up = '../'.repeat(page.split('/').length - 1)
  return text.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/[^\s()"'<>[\]`]+/g, found => {
    const [address = '', rest = ''] = found.split(/(?=[?#])/, 2)
    const to = found.startsWith('`') ? undefined : addresses.get(address)
    return to === undefined ? found : up + encodeURI(to) + (rest.startsWith('#') ? rest : '')
  })
}

async function readStyles({ report, id, to }: Reader, reply: JsonObject) {
  const found = (list: string): FoundStyle[] =>
    listOf(reply, list).map(style => {
      const [own, name = own ?? ''] = [textMember(style, 'id'), textMember(style, 'name')]
      if (own !== undefined && !isStyleId(own))
        report.guessed.push({ path: `${id}/styles`, key: `id of ${own}`, value: slug(own), why: ID_WHY })
      const fields = new Map([...style].filter(([key]) => key !== 'id' && key !== 'name'))
      if (fields.has('hex')) fields.delete('rgb') // One of them is enough.
      return { name, fields, ...(own !== undefined && { id: isStyleId(own) ? own : slug(own) }) }
    })
  const read = { colors: found('colors'), types: found('types'), notes: new Map() }
  const styles = guideStyles([read])
  if (!styles.ok) throw new OperationalError('source_unreadable', `the styles of ${id}: ${styles.problem}`)
  for (const text of noteLines(read.notes)) report.lost.push({ path: `${id}/styles`, line: 1, what: 'a style', text })
  const { colors, types } = styles.value
  const files: NewFile[] = []
  const add = (path: string, content: string) => {
    files.push({ to: `${to}/${path}`, content })
    report.merged.push({ from: `${id}/styles`, into: `${to}/${path}` })
  }
  if (colors.length > 0) add('styles/colors.yaml', colorsYaml(colors))
  if (types.length > 0) add('styles/types.yaml', typesYaml(types))
  return { files, counts: { colors: colors.length, types: types.length } }
}

async function readFiles(reader: Reader, listed: readonly JsonObject[], addresses: Map<string, string>) {
  const { requests, report, options, folder, id, to } = reader
  const [paths, names] = [openPathAllocator(), new Map<string, number>()]
  const written: NewFile[] = []
  const described = new Map<string, object>()
  for (const [at, file] of listed.entries()) {
    const given = textMember(file, 'filename') ?? 'file'
    // Names with a dot or _ in front are not read, and files.yaml is ours.
    const safe = given.replace(/[/\\]/g, '-').replace(/^[._]+/, '')
    const name = safe === '' || safe === 'files.yaml' ? `file-${safe}` : safe
    const from = `${id}/files/${given}`
    if (name !== given)
      report.guessed.push({ path: from, key: 'filename', value: name, why: 'this name is not possible here' })
    const url = textMember(file, 'url')
    if (at % 50 === 49) options.progress(`${at + 1} of ${listed.length} files of ${id}`)
    try {
      if (url === undefined) throw new Error('it has no address')
      const place = join(folder, `${written.length}-${to}`)
      await writeFile(place, await requests.file(url))
      const same = (names.get(name) ?? 0) + 1
      names.set(name, same)
      // A folder of its own, so that another file of this name keeps it.
      const own = paths.take(`files/${same > 1 ? `${same}/` : ''}${name}`)
      addresses.set(url, own)
      const facts = fileFacts(file)
      if (Object.keys(facts).length > 0 && !own.includes('*')) described.set(own.slice('files/'.length), facts)
      written.push({ to: `${to}/${own}`, content: fileEntry(place, name, '', await lstat(place)) })
      report.placed.push({ from, to: `${to}/${own}` })
    } catch (error) {
      options.signal.throwIfAborted()
      report.leftOut.push({ path: from, reason: reasonFor(error) })
    }
  }
  const filesYaml = stringify(Object.fromEntries(described), { lineWidth: 0 })
  return described.size > 0 ? [...written, { to: `${to}/files/files.yaml`, content: filesYaml }] : written
}

/** The facts of a file that files.yaml can give. */
function fileFacts(file: JsonObject): object {
  const contentType = textMember(file, 'contentType')?.replace(/;.*/, '').trim()
  const kind = /^(?:font|image)(?=\/)/.exec(contentType ?? '')?.[0]
  const checks = kind === 'font' ? FONT_FACTS : kind === 'image' ? IMAGE_FACTS : {}
  const facts = Object.entries(checks).map(([key, isValid]) => {
    const value = member(file.get('metadata'), key)
    return [key, value !== undefined && isValid(value) ? value : undefined]
  })
  const isType = /^[\w.+-]+\/[\w.+-]+$/.test(contentType ?? '')
  return withoutUndefined({ contentType: isType ? contentType : undefined, ...Object.fromEntries(facts) })
}

type Check = (value: Json) => boolean
const isText: Check = value => typeof value === 'string' && value !== ''
const isWhole: Check = value => typeof value === 'number' && Number.isInteger(value) && value > 0
const FONT_FACTS: Readonly<Record<string, Check>> = {
  family: isText,
  subFamily: isText,
  weight: value => isWhole(value) && Number(value) <= 1000,
  style: value => value === 'normal' || value === 'italic' || value === 'oblique',
}
const IMAGE_FACTS: Readonly<Record<string, Check>> = { description: isText, width: isWhole, height: isWhole }

function listOf(reply: JsonObject, name: string): JsonObject[] {
  const list = reply.get(name)
  return Array.isArray(list) ? list.filter(isObject) : []
}
