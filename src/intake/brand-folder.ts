import { realpath } from 'node:fs/promises'
import type { Appearance } from '#brand/appearance.ts'
import type { Draft } from '#brand/draft.ts'
import { type EditSetting, usualPagePath } from '#brand/edit-link.ts'
import { filename } from '#brand/file.ts'
import type { Finding } from '#brand/finding.ts'
import { inReadingOrder, type Page } from '#brand/page.ts'
import { withInherited } from '#brand/snapshot.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { ok } from '#platform/base/result.ts'
import { anyOf, compareStrings, quote, wordsIn } from '#platform/base/text.ts'
import { resolveAppearance } from './appearance.ts'
import { describeFiles } from './files/describe-files.ts'
import { checkPictures, shareUses } from './files/file-notes.ts'
import { type ReadFile, readFiles } from './files/files.ts'
import { collectFindings, type Findings, problem } from './folder/findings.ts'
import { readEntries } from './folder/open-folder.ts'
import { type WalkedFile, walk } from './folder/walk.ts'
import { type LinkedPage, resolveLinks } from './pages/page-links.ts'
import { reportNeedlessWide, resolvePageNotes } from './pages/page-notes.ts'
import { type PageSource, readPages } from './pages/pages.ts'
import { hasPart, type IdentifiedProject, inFolder } from './project/project-folder.ts'
import { findProjects, reportAbsent } from './project/projects.ts'
import { readWorkspace, type Workspace } from './project/workspace.ts'
import { noTarget, type ProjectOptions, type ProjectReading, type ReadOptions } from './reading.ts'
import { checkExports } from './styles/export-problems.ts'
import { checkFamilies } from './styles/families.ts'
import { readStyles, type WrittenStyles } from './styles/styles.ts'
import { resolveWorkspaceTheme } from './theme-files.ts'
import {
  checkOriginals,
  compareWithOriginal,
  NOTHING,
  type Original,
  originalsFirst,
  stylesWith,
} from './translations.ts'
import { advice } from './yaml/nearest.ts'
import { suggester } from './yaml/references.ts'

/** The result of reading a brand folder. The target has already received the drafts, one at a time. */
export type BrandFolder = {
  /** Absent if the workspace itself has an error. Then no draft is kept. */
  workspace?: Workspace
  /** The ids of all projects in the folder, with and without errors; those of translations are last. */
  projects: string[]
  /** Whether workspace.yaml sets the id, instead of the folder name. */
  isPinned: boolean
  /** Whether the folder itself is the only project. */
  isProject: boolean
  /** The setting for edit links; absent: none. */
  edit?: EditSetting
  findings: Finding[]
}

/** Reads a brand folder: a workspace of projects, or one that is a workspace by itself. Throws if it is no folder. */
export async function readBrandFolder(folder: string, options: ReadOptions): Promise<BrandFolder> {
  const findings = collectFindings()
  const root = await realpath(folder)
  const entries = await readEntries(root, '', null, findings)
  const written = readWorkspace(root, entries ?? [], findings, options.workspaceId)
  const projects = entries ? await findProjects({ root, findings }, entries) : []
  checkOriginals(projects, findings)
  reportAbsent(options.absent ?? [], projects, findings)
  const target = written ? await options.targetFor(written.workspace.id) : noTarget
  const theme = written?.theme
    ? await resolveWorkspaceTheme(root, written.theme, { ...options, ...target })
    : ok(undefined)
  if (!theme.ok) findings.add(null, 'workspace.yaml', theme.problem)
  const isServed = servedBy(written?.workspace.id, projects)
  await readProjects({ root, findings, isServed }, originalsFirst(projects), { ...options, ...target })
  const sorted = originalsFirst(projects.toSorted((a, b) => compareStrings(a.id, b.id)))
  const ids = [...new Set(sorted.map(({ id }) => id.toString()))]
  const isProject = projects.some(({ folder }) => folder.path === '')
  const { isPinned = false, edit } = written ?? {}
  // The name of the only project need not be repeated.
  const name =
    (projects.length === 1 && !written?.isNamed ? projects[0]?.file.name : undefined) ?? written?.workspace.name
  const workspace =
    written && theme.ok ? { ...written.workspace, ...withoutUndefined({ name, theme: theme.value }) } : undefined
  return withoutUndefined({ workspace, edit, projects: ids, isPinned, isProject, findings: findings.list() })
}

/** Whether a path with a leading slash is an address of the service: its own pages, or a guide in the folder. */
function servedBy(workspace: string | undefined, projects: readonly IdentifiedProject[]): ProjectReading['isServed'] {
  const guides = new Set(projects.map(({ id }) => `${workspace}/${id}`))
  return path => {
    const [, first = '', second = ''] = path.split('/')
    if (first === '' || SERVED.test(path)) return true
    return first === workspace && (second === '' || second === '-' || guides.has(`${first}/${second}`))
  }
}

/** Addresses of the service itself that authors may link to, without those of its own assets and of programs. */
const SERVED = (() => {
  const folders = anyOf(wordsIn('-, .well-known, beta/workspace, revision, events/workspace'))
  const files = anyOf(wordsIn('docs, metrics, healthz, readyz, mcp, robots.txt, sitemap.xml, openapi.json'))
  return new RegExp(`^/(?:${folders}/.*|schemas/\\w+\\.json|${files})/?$`)
})()

type Place = Pick<ProjectReading, 'root' | 'findings' | 'isServed'>

async function readProjects(
  place: Place,
  projects: readonly IdentifiedProject[],
  options: ProjectOptions,
): Promise<void> {
  const wanted = new Set(projects.map(({ file }) => file.translationOf?.text))
  const originals = new Map<string | undefined, Original>()
  for (const project of projects) {
    const read = await readProject({ ...place, project }, options, originals.get(project.file.translationOf?.text))
    if (read && wanted.has(project.id)) originals.set(project.id, read)
  }
}

/** Reads a project and passes its draft on unless it has an error. Collects all findings, not only the first. */
async function readProject(
  { root, project, findings, isServed }: Place & Pick<ProjectReading, 'project'>,
  options: ProjectOptions,
  original: Original | undefined,
): Promise<Original | undefined> {
  const walked = await walkProject(root, project, findings, options)
  let done = 0
  const advance = () => options.progress({ project: project.id, done: ++done, total: walked.total })
  const report: ProjectReading['report'] = (path, ...problems) =>
    findings.add(project.id, inFolder(project.folder, path), ...problems)
  const reading: ProjectReading = { root, project, findings, report, options, advance, isServed }
  const styles = await readStyles(reading, walked.files)
  if (exceedsCaps(reading, walked)) return undefined
  const { draft, read } = await makeDraft(reading, styles, walked, original)
  if (draft) await options.draft(draft)
  return read
}

/** The pages and files of a project before they are read; `total` counts both. */
type WalkedProject = { pages: WalkedFile[]; files: WalkedFile[]; total: number; hasFilesYaml: boolean }

async function makeDraft(
  reading: ProjectReading,
  own: WrittenStyles,
  walked: WalkedProject,
  original = NOTHING,
): Promise<{ draft?: Draft; read: Original }> {
  const { project, findings } = reading
  const content = await readContent(reading, own, walked, original)
  const resolved = resolveContent(reading, content, walked.hasFilesYaml, original)
  checkContent(reading, own, content, resolved, original)
  const untranslated = compareWithOriginal(reading, content.sources, original)
  const { styles, paths, read, sources } = content
  const parts: Original = { styles, paths, read, files: resolved.files, sources }
  if (findings.hasError(project.id)) return { read: parts }
  const settings = { ...settingsOf(project, sources, own), ...(untranslated && { untranslated }) }
  return { draft: draftOf(project, settings, content, resolved), read: parts }
}

type Content = Awaited<ReturnType<typeof readContent>>

/** The pages and files of a project, with what it has of its original, and the links of its pages. */
async function readContent(reading: ProjectReading, own: WrittenStyles, walked: WalkedProject, original: Original) {
  const [{ sources, leftOut }, ownRead] = await settleAll([
    readPages(reading, walked.pages),
    readFiles(reading, walked.files),
  ])
  const styles = stylesWith(own, original)
  const read = [...original.read, ...ownRead]
  const contentTypes = new Map(read.map(({ path, contentType }) => [path, contentType]))
  const { length } = inFolder(reading.project.folder, '')
  const paths = [...original.paths, ...walked.files.map(({ path }) => path.slice(length))]
  const links = await resolveLinks(reading, sources, leftOut, paths, styles, contentTypes, original.sources)
  checkDocuments(reading, ownRead, links.linked)
  checkPageNames(reading, sources)
  return { sources, ownRead, read, styles, paths, links }
}

type Resolved = ReturnType<typeof resolveContent>

/** The files of a project with what is written about them, and the references of pages and settings. */
function resolveContent(reading: ProjectReading, content: Content, hasFilesYaml: boolean, original: Original) {
  const { sources, ownRead, read, styles, links } = content
  const described = describeFiles(reading, ownRead, read, links.altTexts, hasFilesYaml, styles.colors)
  const { folders } = described
  const files = withInherited(shareUses(described.files, folders), original.files)
  const notes = resolvePageNotes(reading, sources, files, styles.colors)
  reportNeedlessWide(reading, sources, links.pages, { files, notes })
  const types = styles.types.map(({ style }) => style)
  const appearance = resolveAppearance(reading, { colors: styles.colors, types, files, pages: sources })
  return { files, folders, notes, types, appearance }
}

function checkContent(
  reading: ProjectReading,
  own: WrittenStyles,
  { sources, ownRead, read, links }: Content,
  { files, notes, appearance }: Resolved,
  original: Original,
): void {
  checkPictures(reading, ownRead, picturesShown(links.pictured, notes.values(), appearance))
  checkFamilies(reading, own, files, read)
  if (reading.options.isForExport) checkExports(reading, own, ownRead)
  checkListedPages(reading, [...sources, ...original.sources])
}

function draftOf(
  project: IdentifiedProject,
  settings: ReturnType<typeof settingsOf>,
  { styles, links }: Content,
  { files, folders, notes, types, appearance }: Resolved,
): Draft {
  const listed = project.file.pages.map(({ id }) => id)
  return {
    ...settings,
    ...appearance,
    ...(folders.length > 0 && { folders }),
    pages: withLinks(inReadingOrder(links.pages, listed), notes),
    colors: styles.colors,
    types,
    files,
  }
}

function settingsOf(
  { id, folder, file }: IdentifiedProject,
  sources: readonly PageSource[],
  own: WrittenStyles,
): Omit<Draft, 'pages' | 'colors' | 'types' | 'files'> {
  const inherits = (['colors', 'types'] as const).filter(list => own[list].length === 0)
  return withoutUndefined({
    project: id,
    name: file.name ?? folder.name.normalize('NFC'),
    visibility: file.visibility ?? 'private',
    revisions: file.revisions ?? 'private',
    reviewers: file.reviewers,
    source: { folder: folder.path, pages: unusualPaths(sources) },
    lang: file.lang,
    translation: file.translationOf && { of: file.translationOf.text, inherits },
  })
}

async function walkProject(
  root: string,
  { id, folder }: IdentifiedProject,
  findings: Findings,
  { signal }: ProjectOptions,
): Promise<WalkedProject> {
  const described = inFolder(folder, 'files/files.yaml')
  const walked: WalkedFile[] = []
  for (const part of ['files', 'pages'] as const) {
    if (!hasPart(folder, part)) continue
    const { files, leftOut } = await walk(root, inFolder(folder, part), signal)
    for (const { path, reason } of leftOut) if (path !== described) findings.add(id, path, reason)
    walked.push(...files)
  }
  const pagesFolder = inFolder(folder, 'pages/')
  const isPage = ({ path }: WalkedFile) => path.startsWith(pagesFolder) && path.toLowerCase().endsWith('.md')
  const pages = walked.filter(isPage)
  const files = walked.filter(file => !isPage(file) && file.path !== described)
  const hasFilesYaml = walked.some(({ path }) => path === described)
  return { pages, files, total: pages.length + files.length, hasFilesYaml }
}

/** Reports whether a project exceeds the caps, and adds a finding. If so, none of its pages and files is read. */
function exceedsCaps({ report, options }: ProjectReading, walked: WalkedProject): boolean {
  const { maxItems } = options.caps
  const exceeding = (['pages', 'files'] as const).filter(part => walked[part].length > maxItems)
  for (const part of exceeding) {
    const message = `the project has ${walked[part].length} ${part}, more than the limit of ${maxItems}: split it, or raise --max-items`
    report(part, problem('too-many', message))
  }
  return exceeding.length > 0
}

/** Reports documents under pages/ that are not pages, and that no page links to. */
function checkDocuments({ report }: ProjectReading, files: readonly ReadFile[], linked: ReadonlySet<string>): void {
  for (const { path } of files) {
    if (!DOCUMENT.test(path) || linked.has(path)) continue
    const message = `is not shown: only .md files are pages, and no page links to ${quote(filename(path))}; save it as .md, link to it, or move it to files/`
    report(path, problem('page-format', message))
  }
}

/** Reports pages whose names end in `.MD` or `.Md`: links and editors expect `.md`. */
function checkPageNames({ report }: ProjectReading, sources: readonly PageSource[]): void {
  for (const { source } of sources.filter(({ source }) => !source.endsWith('.md'))) {
    const name = filename(source).replace(/md$/i, 'md')
    const message = `is a page whose name does not end in .md, so links and editors may miss it: rename it to ${quote(name)}`
    report(source, problem('page-format', message))
  }
}

/** The paths of the pictures that pages show, in their content, as covers or in the theme. */
function picturesShown(
  pictured: ReadonlySet<string>,
  notes: Iterable<Pick<Page, 'cover'>>,
  { theme: { logo, logoDark, icon } = {} }: Appearance,
): ReadonlySet<string | undefined> {
  return new Set([...pictured, ...Array.from(notes, ({ cover }) => cover?.file), logo, logoDark, icon])
}

const DOCUMENT_TYPES = wordsIn('adoc, doc, docx, htm, html, markdown, mdown, mdx, mkd, odt, rst, rtf, xhtml')
const DOCUMENT = new RegExp(`^pages/.*\\.${anyOf(DOCUMENT_TYPES)}$`, 'i')

/** Reports each page that project.yaml lists but that does not exist, also not in the original of a translation. */
function checkListedPages({ project, report }: ProjectReading, sources: readonly PageSource[]): void {
  const ids = new Set<string>(sources.map(({ id }) => id))
  const suggest = suggester(ids)
  for (const { id, line } of project.file.pages) {
    if (ids.has(id)) continue
    const help = advice(suggest(id), 'correct the id, or remove it')
    const message = `"pages" lists ${quote(id)}, but there is no such page; ${help}`
    const unlisted = problem('page-listed-missing', message, line)
    report('project.yaml', { ...unlisted, missing: { path: `pages/${id}.md` } })
  }
}

/** The paths of pages that do not follow from their ids. */
function unusualPaths(sources: readonly PageSource[]): Record<string, string> {
  const unusual = sources.filter(({ id, source }) => source !== usualPagePath(id))
  return Object.fromEntries(unusual.map(({ id, source }) => [id, source]))
}

/** Yields pages with their links one at a time, so that the links of all pages are never in memory at once. */
function withLinks(pages: readonly LinkedPage[], notes: ReturnType<typeof resolvePageNotes>): Iterable<Page> {
  return {
    *[Symbol.iterator]() {
      for (const { order, links, ...page } of pages) yield { ...page, links: links(), ...notes.get(page.id) }
    },
  }
}
