import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { Draft } from '#brand/draft.ts'
import { pagePath } from '#brand/edit-link.ts'
import { dayOf } from '#brand/file.ts'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { readFrontMatter, splitFrontMatter } from '#intake/pages/front-matter.ts'
import { splitOtherFrontMatter } from '#intake/pages/other-front-matter.ts'
import { readProjectFile } from '#intake/project/project-file.ts'
import { noTarget } from '#intake/reading.ts'
import { markOf } from '#intake/translations.ts'
import { decodeText, encodeLike } from '#platform/base/bytes.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, pluralize, quote } from '#platform/base/text.ts'
import { failOnErrors, findBrandFolder, withReadOptions } from '../brand-folder.ts'
import { hasFlag, type Io, type Run } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { printJson } from '../output/output.ts'
import { visible } from '../output/text.ts'
import { type CommandSettings, loadSettings } from '../settings.ts'
import { replaceFile } from './write/edit-file.ts'

/** Writes the marks of the original's pages into their translations: of one project, or of all in a brand folder. */
export const mark: Run = async (args, io) => {
  const [name = '', ...ids] = args.operands
  const given = await findBrandFolder(name, io)
  const pages = await translatedPages(given, await loadSettings(args, io), io)
  const unknown = ids.find(id => pages.every(page => page.id !== id))
  const absent = unknown === undefined ? 'page' : `page ${quote(unknown)}`
  if (pages.length === 0 || unknown !== undefined)
    throw new CommandFailure('not_found', `${visible(name)} has no ${absent} that its original (translationOf) has too`)
  const wanted = pages.filter(({ id }) => ids.length === 0 || ids.includes(id))
  const marked: string[] = []
  const problems: string[] = []
  for (const page of wanted) {
    const changed = await markPage(page)
    if (!changed.ok) problems.push(changed.problem)
    else if (changed.value) marked.push(join(name, relative(given, page.path)))
  }
  if (hasFlag(args, 'json'))
    printJson(io, { marked, unchanged: wanted.length - marked.length - problems.length, problems })
  else for (const path of marked) io.out(`${visible(path)}: marked\n`)
  for (const problem of problems) io.err(`${visible(problem)}\n`)
  io.err(`${pluralize(marked.length, 'page')} marked as translated from the current original\n`)
  return problems.length > 0 ? 1 : 0
}

/** A page of a translation that its original has too. `mark` is the hash of the original's text, which `markOf` makes. */
type TranslatedPage = { id: string; path: string; mark: string }

/** The pages in a brand folder, or in the folder of one translation in it. */
async function translatedPages(given: string, settings: CommandSettings, io: Io): Promise<TranslatedPage[]> {
  const settingsFile = await readFile(join(given, 'project.yaml'), 'utf8').catch(() => '')
  // A project with `translationOf` is one translation, and the brand folder is around it.
  const isWhole = readProjectFile(settingsFile).project.translationOf === undefined
  const folder = isWhole ? given : dirname(given)
  const drafts = new Map<string, Pick<Draft, 'translation' | 'source'> & { marks: ReadonlyMap<string, string> }>()
  const draft = ({ project, translation, source, pages }: Draft) => {
    const marks = new Map(Array.from(pages, page => [page.id, markOf(page)]))
    drafts.set(project, { source, marks, ...(translation && { translation }) })
  }
  const { findings } = await withReadOptions(settings, io, options =>
    readBrandFolder(folder, { ...options, targetFor: () => ({ ...noTarget, draft }), today: dayOf(new Date()) }),
  )
  failOnErrors(findings, io)
  return [...drafts.values()].flatMap(({ translation, source, marks }) => {
    const isWanted = isWhole || source.folder === basename(given)
    const originals = isWanted && translation ? drafts.get(translation.of)?.marks : undefined
    return [...marks.keys()].flatMap(id => {
      const mark = originals?.get(id)
      return mark === undefined ? [] : { id, path: join(folder, source.folder, pagePath(source, id)), mark }
    })
  })
}

/** Whether a page was changed, because it did not have its mark; or why it cannot be. */
async function markPage({ path, mark }: TranslatedPage): Promise<Result<boolean, string>> {
  const bytes = await readFile(path)
  const before = decodeText(bytes)
  const after = before === undefined ? undefined : withMark(before, mark)
  if (after === undefined)
    return failed(`${path}: write translated: ${mark} into its front matter, which is not lines of YAML`)
  if (after === before) return ok(false)
  const written = await replaceFile(path, encodeLike(bytes, after), bytes)
  return written.ok ? ok(true) : written
}

/** A page with a mark in its front matter; all other lines stay. Undefined if its front matter has another form. */
export function withMark(text: string, mark: string): string | undefined {
  const lineEnd = groupsOf(/\r?\n/, text)[0] ?? '\n'
  const line = `translated: ${mark}`
  const [, opening, yaml = ''] = groupsOf(FRONT_MATTER, text)
  const markedYaml = MARK.test(yaml) ? yaml.replace(MARK, line) : yaml + line + lineEnd
  const marked =
    opening === undefined
      ? `---${lineEnd}${line}${lineEnd}---${lineEnd}${text}`
      : opening + markedYaml + text.slice((opening + yaml).length)
  if (splitOtherFrontMatter(text)) return undefined
  const { frontMatter } = readFrontMatter(splitFrontMatter(marked).yaml ?? '')
  return frontMatter.translated?.text === mark ? marked : undefined
}

/** Front matter: `---`, lines of YAML, and `---`. The groups are the opening line and the YAML. */
const FRONT_MATTER = /^(---[ \t]*\r?\n)((?:(?!---[ \t]*\r?(?:\n|$))[^\n]*\n)*)---[ \t]*\r?(?:\n|$)/
/** The line `translated: 1a2b3c`, whose key may be in quotes, up to a comment. */
const MARK = /^(["']?)translated\1[ \t]*:.*?(?=[ \t]+#|$)/m
