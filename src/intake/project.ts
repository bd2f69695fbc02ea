import type { Color } from '../brand/color.ts'
import type { Draft } from '../brand/draft.ts'
import { inReadingOrder } from '../brand/page.ts'
import type { TypeStyle } from '../brand/type-style.ts'
import { readColors } from './colors.ts'
import { describeFiles } from './file-details.ts'
import { type Findings, remark } from './findings.ts'
import { followLinks } from './page-links.ts'
import { type PageSource, readPages } from './page-sources.ts'
import { type ReadFile, readFiles } from './project-files.ts'
import { type IdentifiedProject, inFolder } from './project-folder.ts'
import type { ProjectOptions, ProjectReading } from './project-reading.ts'
import { readTextFile } from './text-file.ts'
import { readTypes } from './types.ts'
import { type WalkedFile, walk } from './walk.ts'

/** Reads a project: its draft, or undefined where it has an error. Everything wrong in it is found, not only the first. */
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
  const colors = await readStyles(reading, 'styles/colors.yaml', readColorList)
  const types = await readStyles(reading, 'styles/types.yaml', readTypes)
  const sources = await readPages(reading, walked.pages)
  const files = await readFiles(reading, walked.files)
  const pages = followLinks(reading, sources, files)
  const described = await describeFiles(reading, files, pages.altTexts)
  checkFamilies(reading, types, files)
  checkListed(reading, sources)
  if (findings.hasError(project.id)) return undefined
  return {
    project: project.id,
    name: project.file.name ?? project.folder.name,
    visibility: project.file.visibility ?? 'private',
    revisions: project.file.revisions ?? 'private',
    pages: inReadingOrder(
      pages.pages,
      project.file.pages.map(({ id }) => id),
    ).map(({ order, ...page }) => page),
    colors,
    types: types.map(({ style }) => style),
    files: described,
  }
}

type WalkedProject = { pages: WalkedFile[]; files: WalkedFile[]; total: number }

async function walkProject(
  root: string,
  project: IdentifiedProject,
  findings: Findings,
  { caps, signal }: ProjectOptions,
): Promise<WalkedProject> {
  const walked: WalkedFile[] = []
  for (const part of ['files', 'pages']) {
    const { files, leftOut } = await walk(root, inFolder(project.folder, part), signal)
    for (const { path, rule, message } of leftOut) findings.add(project.id, path, remark(rule, message))
    walked.push(...files)
  }
  const pagesFolder = inFolder(project.folder, 'pages/')
  const isPage = ({ path }: WalkedFile) => path.startsWith(pagesFolder) && path.toLowerCase().endsWith('.md')
  const described = inFolder(project.folder, 'files/files.yaml')
  const pages = walked.filter(isPage)
  const files = walked.filter(file => !isPage(file) && file.path !== described)
  for (const [list, what] of [
    [pages, 'pages'],
    [files, 'files'],
  ] as const) {
    if (list.length <= caps.maxItems) continue
    const message = `the project has ${list.length} ${what}, and may have ${caps.maxItems}: split it, or raise --max-items`
    findings.add(project.id, inFolder(project.folder, what), remark('too-many', message))
    list.length = 0
  }
  return { pages, files, total: pages.length + files.length }
}

async function readStyles<Style>(
  { root, project, findings, options }: ProjectReading,
  file: string,
  read: (text: string) => { types: Style[]; remarks: Parameters<Findings['add']>[2][] },
): Promise<Style[]> {
  const path = inFolder(project.folder, file)
  const text = await readTextFile(root, path, project.id, findings)
  if (text === undefined) return []
  const { types, remarks } = read(text)
  findings.add(project.id, path, ...remarks)
  if (types.length <= options.caps.maxItems) return types
  const message = `the file has ${types.length} styles, and may have ${options.caps.maxItems}: split the project, or raise --max-items`
  findings.add(project.id, path, remark('too-many', message))
  return []
}

function readColorList(text: string): { types: Color[]; remarks: Parameters<Findings['add']>[2][] } {
  const { colors, remarks } = readColors(text)
  return { types: colors, remarks }
}

/** A family that no font of the project has is told once, where it stands first. */
function checkFamilies(
  { project, findings }: ProjectReading,
  types: readonly { style: TypeStyle; line: number }[],
  files: readonly ReadFile[],
): void {
  const known = new Set(files.flatMap(({ metadata }) => (metadata && 'family' in metadata ? metadata.family : [])))
  for (const { style, line } of types) {
    if (style.family === undefined || known.has(style.family)) continue
    known.add(style.family)
    const message = `no font under files/ has the family ${JSON.stringify(style.family)}: add the font, or name a family that is there`
    findings.add(
      project.id,
      inFolder(project.folder, 'styles/types.yaml'),
      remark('font-family-missing', message, line),
    )
  }
}

function checkListed({ project, findings }: ProjectReading, sources: readonly PageSource[]): void {
  const ids = new Set<string>(sources.map(({ id }) => id))
  for (const { id, line } of project.file.pages) {
    if (ids.has(id)) continue
    const message = `pages: lists ${JSON.stringify(id)}, and there is no such page: correct the id, or remove it`
    findings.add(project.id, inFolder(project.folder, 'project.yaml'), remark('page-listed-missing', message, line))
  }
}
