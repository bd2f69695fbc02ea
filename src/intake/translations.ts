import { hash } from 'node:crypto'
import type { Draft } from '#brand/draft.ts'
import type { BrandFile } from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import { hasOwnWords } from '#brand/languages.ts'
import type { Page } from '#brand/page.ts'
import { quote } from '#platform/base/text.ts'
import type { ReadFile } from './files/files.ts'
import { type Findings, problem } from './folder/findings.ts'
import type { PageSource } from './pages/pages.ts'
import { type IdentifiedProject, inFolder } from './project/project-folder.ts'
import type { ProjectReading } from './reading.ts'
import type { WrittenStyles } from './styles/styles.ts'
import { advice } from './yaml/nearest.ts'
import { type Reference, suggester } from './yaml/references.ts'

/** The content of an original that its translations inherit or are compared with. */
export type Original = {
  styles: WrittenStyles
  /** The paths of all files, including unreadable ones. */
  paths: readonly string[]
  /** The files as read, before details are added to them. */
  rawFiles: readonly ReadFile[]
  files: readonly BrandFile[]
  sources: readonly PageSource[]
}

const NO_STYLES: WrittenStyles = { colors: [], colorLines: [], types: [] }
/** The original of a project that is not a translation. */
export const NOTHING: Original = { styles: NO_STYLES, paths: [], rawFiles: [], files: [], sources: [] }

/** Reports each translation whose original or language is missing or wrong, or that has the language of another one. */
export function checkOriginals(projects: readonly IdentifiedProject[], findings: Findings): void {
  const originalProblem = originalCheck(projects)
  const languageProblem = languageCheck(projects)
  for (const project of projects) {
    const { id, folder, file } = project
    const { translationOf: of } = file
    if (!of) continue
    const problems = [originalProblem(project, of), languageProblem(project, of)].filter(each => each !== undefined)
    findings.add(id, inFolder(folder, 'project.yaml'), ...problems)
  }
}

/** Reports each language in which the website has no words, at the first project that has it. */
export function checkLanguages(projects: readonly IdentifiedProject[], findings: Findings): void {
  const foreign = projects.filter(({ file: { lang = 'en' } }) => !hasOwnWords(lang))
  for (const [lang, [first]] of Map.groupBy(foreign, ({ file }) => file.lang)) {
    const message = `"lang" is ${lang}, in which the website has no words, so its labels are English: nothing has to change`
    if (first) findings.add(first.id, inFolder(first.folder, 'project.yaml'), problem('language-words', message, null))
  }
}

type Check = (project: IdentifiedProject, of: Reference) => Problem | undefined

function originalCheck(projects: readonly IdentifiedProject[]): Check {
  const byId = new Map(projects.map(project => [project.id.toString(), project]))
  const suggest = suggester(projects.filter(isOriginal).map(({ id }) => id.toString()))
  return ({ id, folder, file }, { text, line }) => {
    const original = byId.get(text)
    if (!original || original.id === id) {
      const meant = original ? undefined : suggest(text)
      const otherwise = folder.path === '' ? 'name the folder that contains both' : 'correct it'
      const fix = advice(meant, otherwise)
      return problem(RULE, `${subjectOf(text)} is not another project of this folder; ${fix}`, line)
    }
    const { translationOf, visibility } = original.file
    if (translationOf) {
      const fix = `name its original, ${quote(translationOf.text)}`
      return problem(RULE, `${subjectOf(text)} is itself a translation; ${fix}`, line)
    }
    if (file.visibility !== 'public' || visibility === 'public') return undefined
    const message = `the project is public, but its original ${text} is private: ${SAME_VISIBILITY}`
    return problem('translation-public', message, line)
  }
}

/** Each language of an original belongs to the original itself, or to the first translation that has it. */
function languageCheck(projects: readonly IdentifiedProject[]): Check {
  const owners = new Map(projects.filter(isOriginal).map(({ id, file }) => [`${id} ${file.lang}`, id]))
  return ({ id, file: { lang } }, { text, line }) => {
    const owner = owners.get(`${text} ${lang}`)
    if (lang === undefined)
      return problem(RULE, `${subjectOf(text)} needs the language of the translation: add "lang"`, line)
    if (owner !== undefined)
      return problem(RULE, `"lang" is ${lang}, the language of ${owner} already: write another one`, line)
    owners.set(`${text} ${lang}`, id)
    return undefined
  }
}

const RULE = 'translation-original'

function subjectOf(original: string): string {
  return `"translationOf" is ${quote(original)}, which`
}

function isOriginal({ file }: IdentifiedProject): boolean {
  return file.translationOf === undefined
}

const SAME_VISIBILITY = 'make both public, or both private'

/** Sorts each translation after its original, with which it is read and published. Otherwise keeps the order. */
export function originalsFirst(projects: readonly IdentifiedProject[]): IdentifiedProject[] {
  return projects.toSorted((a, b) => Number(isOriginal(b)) - Number(isOriginal(a)))
}

/** A translation's own styles, and its original's for each list (colours, type styles) that it leaves out. */
export function stylesWith(own: WrittenStyles, { styles }: Original): WrittenStyles {
  const { colors, colorLines } = own.colors.length > 0 ? own : styles
  return { colors, colorLines, types: own.types.length > 0 ? own.types : styles.types }
}

/**
 * Reports the original's pages without a translation, and those that have changed since. Returns how many there are of
 * each; undefined for a project that is not a translation.
 */
export function compareWithOriginal(
  { project, report }: ProjectReading,
  sources: readonly PageSource[],
  original: Original,
): Draft['untranslated'] {
  const of = project.file.translationOf
  if (!of) return undefined
  const byId = new Map(sources.map(source => [source.id, source]))
  const missing = original.sources.filter(({ id }) => !byId.has(id))
  const stale = original.sources.flatMap(page => {
    const own = byId.get(page.id)
    return own?.translated && own.translated.text !== markOf(page) ? [{ ...own, line: own.translated.line }] : []
  })
  for (const { id, source } of missing) {
    const message = `the page ${quote(id)} of ${of.text} has no translation: write ${source}, or another page with id: ${id}`
    report('project.yaml', problem('translation-missing', message, of.line))
  }
  for (const { id, source, line } of stale) {
    const message = `the page ${quote(id)} of ${of.text} has changed since its translation: translate the change, then run \`housestyle translate mark ${project.folder.path} ${id}\``
    report(source, problem('translation-stale', message, line))
  }
  return { missing: missing.length, stale: stale.length }
}

/**
 * The mark of a page's words, which a translation has as `translated:`. If the page has another mark later, its
 * translation is out of date.
 */
export function markOf({ name, description, content }: Pick<Page, 'name' | 'description' | 'content'>): string {
  return hash('sha256', JSON.stringify([name, description, content])).slice(0, 32)
}
