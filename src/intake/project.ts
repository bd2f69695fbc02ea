import { settleAll } from '../base/promise.ts'
import { quote } from '../base/text.ts'
import type { Draft } from '../brand/draft.ts'
import { inReadingOrder, type Page } from '../brand/page.ts'
import { describeFiles } from './files/file-details.ts'
import { readFiles } from './files/project-files.ts'
import { type Findings, problem } from './folder/findings.ts'
import { type WalkedFile, walk } from './folder/walk.ts'
import { followLinks, type LinkedPage } from './pages/page-links.ts'
import { type PageSource, readPages } from './pages/page-sources.ts'
import type { ProjectOptions, ProjectReading } from './project/project-context.ts'
import { hasPart, type IdentifiedProject, inFolder } from './project/project-folder.ts'
import { checkFamilies, readStyles } from './styles/styles.ts'

/** Reads a project: its draft, or undefined if it has an error. All findings are collected, not only the first. */
export async function readProject(
  root: string,
  project: IdentifiedProject,
  findings: Findings,
  options: ProjectOptions,
): Promise<Draft | undefined> {
  const walked = await walkProject(root, project, findings, options)
  let done = 0
  const advance = () => options.progress({ project: project.id, done: ++done, total: walked.total })
  const reading: ProjectReading = { root, project, findings, options, advance }
  const styles = await readStyles(reading)
  if (exceedsCaps(reading, walked)) return undefined
  const [sources, read] = await settleAll([readPages(reading, walked.pages), readFiles(reading, walked.files)])
  const { pages, altTexts } = followLinks(reading, sources, walked.files)
  const files = await describeFiles(reading, read, altTexts, walked.isDescribed)
  checkFamilies(reading, styles, files)
  checkListed(reading, sources)
  if (findings.hasError(project.id)) return undefined
  const listed = project.file.pages.map(({ id }) => id)
  return {
    project: project.id,
    name: project.file.name ?? project.folder.name.normalize('NFC'),
    visibility: project.file.visibility ?? 'private',
    revisions: project.file.revisions ?? 'private',
    ...(project.file.lang !== undefined && { lang: project.file.lang }),
    pages: withLinks(inReadingOrder(pages, listed)),
    colors: styles.colors,
    types: styles.types.map(({ style }) => style),
    files,
  }
}

/** Pages with their links, one after the other: the links of all pages are never in memory at once. */
function withLinks(pages: readonly LinkedPage[]): Iterable<Page> {
  return {
    *[Symbol.iterator]() {
      for (const { order, links, ...page } of pages) yield { ...page, links: links() }
    },
  }
}

/** `isDescribed`: whether there is a files.yaml. */
type WalkedProject = { pages: WalkedFile[]; files: WalkedFile[]; total: number; isDescribed: boolean }

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
    for (const { path, rule, message } of leftOut)
      if (path !== described) findings.add(id, path, problem(rule, message))
    walked.push(...files)
  }
  const pagesFolder = inFolder(folder, 'pages/')
  const isPage = ({ path }: WalkedFile) => path.startsWith(pagesFolder) && path.toLowerCase().endsWith('.md')
  const pages = walked.filter(isPage)
  const files = walked.filter(file => !isPage(file) && file.path !== described)
  const isDescribed = walked.some(({ path }) => path === described)
  return { pages, files, total: pages.length + files.length, isDescribed }
}

/** Whether there is more than the caps allow, with a finding; then no page or file is read. */
function exceedsCaps({ project, findings, options }: ProjectReading, walked: WalkedProject): boolean {
  const { maxItems } = options.caps
  const over = (['pages', 'files'] as const).filter(part => walked[part].length > maxItems)
  for (const part of over) {
    const message = `the project has ${walked[part].length} ${part}, and may have ${maxItems}: split it, or raise --max-items`
    findings.add(project.id, inFolder(project.folder, part), problem('too-many', message))
  }
  return over.length > 0
}

function checkListed({ project, findings }: ProjectReading, sources: readonly PageSource[]): void {
  const ids = new Set<string>(sources.map(({ id }) => id))
  for (const { id, line } of project.file.pages) {
    if (ids.has(id)) continue
    const message = `pages: lists ${quote(id)}, and there is no such page: correct the id, or remove it`
    findings.add(project.id, inFolder(project.folder, 'project.yaml'), problem('page-listed-missing', message, line))
  }
}
