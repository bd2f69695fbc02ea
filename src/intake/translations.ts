import { hash } from 'node:crypto'
import type { Draft } from '#brand/draft.ts'
import type { BrandFile } from '#brand/file.ts'
import type { RuleId } from '#brand/finding.ts'
import type { Page } from '#brand/page.ts'
import { quote } from '#platform/base/text.ts'
import type { ReadFile } from './files/files.ts'
import { type Findings, problem } from './folder/findings.ts'
import type { PageSource } from './pages/pages.ts'
import { type IdentifiedProject, inFolder } from './project/project-folder.ts'
import type { ProjectReading } from './reading.ts'
import type { WrittenStyles } from './styles/styles.ts'
import { advice } from './yaml/nearest.ts'
import { suggester } from './yaml/references.ts'

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
  const byId = new Map(projects.map(project => [project.id.toString(), project]))
  const originals = projects.filter(({ file }) => file.translationOf === undefined)
  const suggest = suggester(originals.map(({ id }) => id.toString()))
  /** The project in each language of an original: the original itself, and the first translation of each language. */
  const byLanguage = new Map(originals.map(({ id, file }) => [`${id} ${file.lang}`, id]))
  for (const { id, folder, file } of projects) {
    const { text, line } = file.translationOf ?? {}
    if (text === undefined) continue
    const report = (message: string, rule: RuleId = 'translation-original') =>
      findings.add(id, inFolder(folder, 'project.yaml'), problem(rule, message, line))
    const subject = `"translationOf" is ${quote(text)}, which`
    const original = byId.get(text)
    const originalOfOriginal = original?.file.translationOf?.text
    if (!original || original.id === id) {
      const meant = original ? undefined : suggest(text)
      const otherwise = folder.path === '' ? 'name the folder that contains both' : 'correct it'
      report(`${subject} is not another project of this folder; ${advice(meant, otherwise)}`)
    } else if (originalOfOriginal !== undefined)
      report(`${subject} is itself a translation; name its original, ${quote(originalOfOriginal)}`)
    else if (file.visibility === 'public' && original.file.visibility !== 'public')
      report(`the project is public, but its original ${text} is private: ${SAME_VISIBILITY}`, 'translation-public')
    const sameLanguage = byLanguage.get(`${text} ${file.lang}`)
    if (file.lang === undefined) report(`${subject} needs the language of the translation: add "lang"`)
    else if (sameLanguage !== undefined)
      report(`"lang" is ${file.lang}, the language of ${sameLanguage} already: write another one`)
    else byLanguage.set(`${text} ${file.lang}`, id)
  }
}

const SAME_VISIBILITY = 'make both public, or both private'

/** Sorts each translation after its original, with which it is read and published. Otherwise keeps the order. */
export function originalsFirst(projects: readonly IdentifiedProject[]): IdentifiedProject[] {
  const isTranslation = ({ file }: IdentifiedProject) => Number(file.translationOf !== undefined)
  return projects.toSorted((a, b) => isTranslation(a) - isTranslation(b))
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
