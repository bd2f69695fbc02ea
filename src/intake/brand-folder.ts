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
import { anyOf, compareStrings, inFormats, quote, wordsIn } from '#platform/base/text.ts'
import { resolveAppearance } from './appearance.ts'
import { describeFiles } from './files/describe-files.ts'
import { checkAltTexts, checkPictures, shareUses } from './files/file-notes.ts'
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
  checkLanguages,
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
  const ofWorkspace = readWorkspace(root, entries ?? [], findings, options.workspaceId)
  const projects = entries ? await findProjects({ root, findings }, entries) : []
  checkOriginals(projects, findings)
  checkLanguages(projects, findings)
  reportAbsent(options.absent ?? [], projects, findings)
  // Without a workspace, the projects are still checked, but nothing is stored.
  const target = ofWorkspace ? await options.targetFor(ofWorkspace.workspace.id) : noTarget
  const theme = ofWorkspace?.theme
    ? await resolveWorkspaceTheme(root, ofWorkspace.theme, { ...options, ...target })
    : ok(undefined)
  if (!theme.ok) findings.add(null, 'workspace.yaml', theme.problem)
  const isServed = servedBy(ofWorkspace?.workspace.id, projects)
  await readProjects({ root, findings, isServed }, originalsFirst(projects), { ...options, ...target })
  const isProject = projects.some(({ folder }) => folder.path === '')
  const { isPinned = false, edit } = ofWorkspace ?? {}
  // The only project also names the workspace, unless workspace.yaml does.
  const soleName = projects.length === 1 && !ofWorkspace?.isNamed ? projects[0]?.file.name : undefined
  const name = soleName ?? ofWorkspace?.workspace.name
  const workspace =
    ofWorkspace && theme.ok
      ? { ...ofWorkspace.workspace, ...withoutUndefined({ name, theme: theme.value }) }
      : undefined
  const ids = idsOf(projects)
  return withoutUndefined({ workspace, edit, projects: ids, isPinned, isProject, findings: findings.list() })
}

/** The ids of projects in order, each once although two folders may have the same; those of translations are last. */
function idsOf(projects: readonly IdentifiedProject[]): string[] {
  const sorted = originalsFirst(projects.toSorted((a, b) => compareStrings(a.id, b.id)))
  return [...new Set(sorted.map(({ id }) => id.toString()))]
}

/** Whether a path with a leading slash is an address of the service: its own pages, or a guide in the folder. */
function servedBy(workspace: string | undefined, projects: readonly IdentifiedProject[]): ProjectReading['isServed'] {
  const guides = new Set(projects.map(({ id }) => `${workspace}/${id}`))
  return path => {
    const [, first = '', second = ''] = path.split('/')
    if (first === '' || SERVED.test(path)) return true
    // The pages of the workspace itself are at `/acme` and below `/acme/-/`.
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

/** Reads projects, of which an original comes before its translations, and keeps what they have from it. */
async function readProjects(
  place: Place,
  projects: readonly IdentifiedProject[],
  options: ProjectOptions,
): Promise<void> {
  const translatedIds = new Set(projects.map(({ file }) => file.translationOf?.text))
  const originals = new Map<string | undefined, Original>()
  for (const project of projects) {
    const original = originals.get(project.file.translationOf?.text)
    const content = await readProject({ ...place, project }, options, original)
    if (content && translatedIds.has(project.id)) originals.set(project.id, content)
  }
}

/**
 * Reads a project and passes its draft on unless it has an error. Collects all findings, not only the first. Returns
 * what translations need of it; undefined if it exceeds the caps.
 */
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
  const { draft, forTranslations } = await makeDraft(reading, styles, walked, original)
  if (draft) await options.draft(draft)
  return forTranslations
}

/** The pages and files of a project before they are read; `total` counts both. */
type WalkedProject = { pages: WalkedFile[]; files: WalkedFile[]; total: number; hasFilesYaml: boolean }

/** Reads the content of a project, resolves its references and checks it. The draft is absent if there is an error. */
async function makeDraft(
  reading: ProjectReading,
  ownStyles: WrittenStyles,
  walked: WalkedProject,
  original = NOTHING,
): Promise<{ draft?: Draft; forTranslations: Original }> {
  const { project, findings } = reading
  const content = await readContent(reading, ownStyles, walked, original)
  const resolved = resolveContent(reading, content, walked.hasFilesYaml, original)
  checkContent(reading, ownStyles, content, resolved, original)
  const untranslated = compareWithOriginal(reading, content.sources, original)
  const { styles, paths, rawFiles, sources } = content
  const forTranslations: Original = { styles, paths, rawFiles, files: resolved.files, sources }
  if (findings.hasError(project.id)) return { forTranslations }
  const settings = { ...settingsOf(project, sources, ownStyles), ...(untranslated && { untranslated }) }
  return { draft: draftOf(project, settings, content, resolved), forTranslations }
}

type Content = Awaited<ReturnType<typeof readContent>>

/**
 * Reads the pages and files of a project, and resolves the links of its pages. `styles`, `rawFiles` and `paths` include
 * what a translation has from its original. Own files come last, so that they win in a map by path.
 */
async function readContent(
  reading: ProjectReading,
  ownStyles: WrittenStyles,
  walked: WalkedProject,
  original: Original,
) {
  const [{ sources, leftOut }, ownRawFiles] = await settleAll([
    readPages(reading, walked.pages),
    readFiles(reading, walked.files),
  ])
  const styles = stylesWith(ownStyles, original)
  const rawFiles = [...original.rawFiles, ...ownRawFiles]
  const contentTypes = new Map(rawFiles.map(({ path, contentType }) => [path, contentType]))
  const folderLength = inFolder(reading.project.folder, '').length
  const paths = [...original.paths, ...walked.files.map(({ path }) => path.slice(folderLength))]
  const links = await resolveLinks(reading, sources, leftOut, paths, styles, contentTypes, original.sources)
  checkDocuments(reading, ownRawFiles, links.linked)
  checkPageNames(reading, sources)
  return { sources, ownRawFiles, rawFiles, styles, paths, links }
}

type Resolved = ReturnType<typeof resolveContent>

/** The files of a project with what is written about them, and the references of pages and settings. */
function resolveContent(reading: ProjectReading, content: Content, hasFilesYaml: boolean, original: Original) {
  const { sources, ownRawFiles, rawFiles, styles, links } = content
  const described = describeFiles(reading, ownRawFiles, rawFiles, links.altTexts, hasFilesYaml, styles.colors)
  const { folders } = described
  const files = withInherited(shareUses(described.files, folders), original.files)
  const notes = resolvePageNotes(reading, sources, files, styles.colors)
  reportNeedlessWide(reading, sources, links.pages, { files, notes })
  const types = styles.types.map(({ style }) => style)
  const appearance = resolveAppearance(reading, { colors: styles.colors, types, files, pages: sources })
  return { files, folders, notes, types, appearance }
}

/** Reports what can only be checked once all references are resolved. */
function checkContent(
  reading: ProjectReading,
  ownStyles: WrittenStyles,
  { sources, ownRawFiles, rawFiles, links }: Content,
  { files, notes, appearance }: Resolved,
  original: Original,
): void {
  checkPictures(reading, ownRawFiles, picturesShown(links.pictured, notes.values(), appearance))
  checkAltTexts(reading, files, links.withoutAlt)
  checkFamilies(reading, ownStyles, files, rawFiles)
  if (reading.options.isForExport) checkExports(reading, ownStyles, ownRawFiles)
  checkListedPages(reading, [...sources, ...original.sources])
}

function draftOf(
  project: IdentifiedProject,
  settings: ReturnType<typeof settingsOf>,
  { styles, links }: Content,
  { files, folders, notes, types, appearance }: Resolved,
): Draft {
  const listedIds = project.file.pages.map(({ id }) => id)
  return {
    ...settings,
    ...appearance,
    ...(folders.length > 0 && { folders }),
    pages: withLinks(inReadingOrder(links.pages, listedIds), notes),
    colors: styles.colors,
    types,
    files,
  }
}

function settingsOf(
  { id, folder, file }: IdentifiedProject,
  sources: readonly PageSource[],
  ownStyles: WrittenStyles,
): Omit<Draft, 'pages' | 'colors' | 'types' | 'files'> {
  const inherits = (['colors', 'types'] as const).filter(list => ownStyles[list].length === 0)
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

/** Lists the pages and files of a project, and reports skipped entries. files.yaml is neither, and is read separately. */
async function walkProject(
  root: string,
  { id, folder }: IdentifiedProject,
  findings: Findings,
  { signal }: ProjectOptions,
): Promise<WalkedProject> {
  const filesYaml = inFolder(folder, 'files/files.yaml')
  const walked: WalkedFile[] = []
  for (const part of ['files', 'pages'] as const) {
    if (!hasPart(folder, part)) continue
    const { files, leftOut } = await walk(root, inFolder(folder, part), signal)
    for (const { path, reason } of leftOut) if (path !== filesYaml) findings.add(id, path, reason)
    walked.push(...files)
  }
  const pagesFolder = inFolder(folder, 'pages/')
  const isPage = ({ path }: WalkedFile) => path.startsWith(pagesFolder) && path.toLowerCase().endsWith('.md')
  const pages = walked.filter(isPage)
  const files = walked.filter(file => !isPage(file) && file.path !== filesYaml)
  const hasFilesYaml = walked.some(({ path }) => path === filesYaml)
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
    if (!path.startsWith('pages/') || !DOCUMENT.test(path) || linked.has(path)) continue
    const message = `is not shown: only .md files are pages, and no page links to ${quote(filename(path))}; save it as .md, link to it, or move it to files/`
    report(path, problem('page-format', message))
  }
}

/** Reports pages whose names end in `.MD` or `.Md`: links and editors expect `.md`. */
function checkPageNames({ report }: ProjectReading, sources: readonly PageSource[]): void {
  for (const { source } of sources.filter(({ source }) => !source.endsWith('.md'))) {
    const name = `${filename(source).slice(0, -'md'.length)}md`
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

const DOCUMENT = inFormats('adoc, doc, docx, htm, html, markdown, mdown, mdx, mkd, odt, rst, rtf, xhtml')

/** Reports each page that project.yaml lists but that does not exist, also not in the original of a translation. */
function checkListedPages({ project, report }: ProjectReading, sources: readonly PageSource[]): void {
  const ids = new Set<string>(sources.map(({ id }) => id))
  const suggest = suggester(ids)
  for (const { id, line } of project.file.pages) {
    if (ids.has(id)) continue
    const help = advice(suggest(id), 'correct the id, or remove it')
    const message = `"pages" lists ${quote(id)}, but there is no such page; ${help}`
    const missingPage = problem('page-listed-missing', message, line)
    report('project.yaml', { ...missingPage, missing: { path: `pages/${id}.md` } })
  }
}

/** The paths of pages that do not follow from their ids, such as `pages/Logo.md` for `logo`, keyed by id. */
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
