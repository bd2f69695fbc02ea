import { stringify } from 'yaml'
import { addNotes, type Report } from './report/report.ts'
import type { Translation } from './site/by-language.ts'
import { type FilePlan, linkPages } from './site/links.ts'
import type { PagePlan } from './site/page-paths.ts'
import { shownPath as shown } from './sources/source.ts'

type NewText = { to: string; content: string }
/** A project of the new folder, with the texts that it has apart from its files. */
type Project = {
  project: string
  plans: readonly PagePlan[]
  placed: readonly FilePlan[]
  texts: readonly NewText[]
  colors: readonly unknown[]
  types: readonly unknown[]
  files: readonly FilePlan[]
}

export function textsAt(plans: readonly PagePlan[], texts: readonly string[]): NewText[] {
  return plans.map(({ to }, at) => ({ to, content: texts[at] ?? '' }))
}

/** The texts of a project, which the report counts. */
export function writeProject(
  { project, plans, placed, texts, colors, types, files }: Project,
  report: Report,
): NewText[] {
  for (const { entry, to } of [...plans, ...placed]) report.placed.push({ from: shown(entry), to: `${project}/${to}` })
  const pages = texts.filter(({ to }) => to.startsWith('pages/')).length
  report.projects.push({ project, pages, colors: colors.length, types: types.length, files: files.length })
  return texts.map(({ to, content }) => ({ to: `${project}/${to}`, content }))
}

/** A project with the pages in another language, which has the files and styles of its original. */
export function writeTranslation(
  { lang, plans, notes }: Translation,
  of: Project & { name: string; places: readonly FilePlan[] },
  report: Report,
): NewText[] {
  const linked = linkPages(plans, of.places, of.plans)
  for (const each of [notes, linked.notes]) addNotes(report, each)
  const settings = stringify({ name: of.name, lang, translationOf: of.project, visibility: 'private' })
  const texts = [{ to: 'project.yaml', content: settings }, ...textsAt(plans, linked.texts)]
  const own = { plans, texts, placed: [], colors: [], types: [], files: [] }
  return writeProject({ project: `${of.project}-${lang.toLowerCase()}`, ...own }, report)
}
