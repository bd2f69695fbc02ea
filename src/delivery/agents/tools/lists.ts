import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Color } from '#brand/color.ts'
import { type BrandFile, filename, isExpired, usesOf } from '#brand/file.ts'
import { refOf } from '#brand/ids.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { questionWords } from '../../search/question.ts'
import { ENGLISH_ENDINGS } from '../../search/question-words.ts'
import { withGuideColors } from '../../search/search-index.ts'
import { isFormOf, type Word, wordsOf } from '../../search/words.ts'
import { contentId } from './content-id.ts'
import { colorSearchText, fileSearchText, PRINT_NOTE, TYPE_NOTE, typeSearchText } from './items.ts'
import { applicable, type Outcome, type Reply } from './output.ts'
import { fittingEntries } from './reply-size.ts'
import { type Arguments, openProject, type Reader } from './tool.ts'

/**
 * The entries that match a query best: those with the most terms of it (`coverage`), in their order; all entries for a query
 * without words. Other requests get a turn after each batch of entries.
 */
export async function matching<Entry>(
  entries: readonly Entry[],
  query: string,
  searchableText: (entry: Entry) => string,
): Promise<Entry[]> {
  const terms = questionWords(query)
  if (terms.length === 0) return [...entries]
  const counted: { entry: Entry; count: number }[] = []
  for (let at = 0; at < entries.length; at += BATCH_SIZE) {
    for (const entry of entries.slice(at, at + BATCH_SIZE))
      counted.push({ entry, count: coverage(terms, searchableText(entry)) })
    await nextTurn()
  }
  const most = counted.reduce((max, { count }) => Math.max(max, count), 0)
  return most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ entry }) => entry)
}

const BATCH_SIZE = 500

/**
 * Counts the terms of a string in any form, and each term right after the one before it twice: of "dark background",
 * a text with "dark backgrounds" has 3, and one with "a background for dark logos" has 2.
 */
function coverage(terms: readonly string[], text: string): number {
  const words = wordsOf(text)
  let count = 0
  for (const [at, term] of terms.entries()) {
    const termBefore = terms[at - 1]
    let isInText = false
    let isAfterTermBefore = false
    for (const [place, word] of words.entries()) {
      if (isAfterTermBefore || !isMatch(word, term)) continue
      isInText = true
      const wordBefore = words[place - 1]
      const isAdjacent = wordBefore && /^[\s-]*$/.test(text.slice(wordBefore.end, word.start))
      isAfterTermBefore = termBefore !== undefined && isAdjacent === true && isMatch(wordBefore, termBefore)
    }
    count += (isInText ? 1 : 0) + (isAfterTermBefore ? 1 : 0)
  }
  return count
}

/** Whether a word equals a term, is another form of it, or begins with its three letters or more. */
function isMatch({ term }: Word, wanted: string): boolean {
  return term === wanted || (wanted.length >= 3 && term.startsWith(wanted)) || isFormOf(term, wanted, ENGLISH_ENDINGS)
}

/** The colours and type styles of a project with all authored values. */
export async function getStyles(reader: Reader, { project, kind, query }: Arguments): Promise<Outcome<'get_styles'>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const { record, content } = opened.value
  const all = {
    colors: kind === 'types' ? [] : await content.colors(),
    types: kind === 'colors' ? [] : await content.types(),
  }
  const wanted = await matchingStyles(all, query)
  const { colors, types } = fittingStyles(reader, record, wanted)
  const listed = countOf({ colors, types })
  const total = countOf(wanted)
  const count = countOf(all)
  return ok({
    ...refOf(record),
    total,
    ...(kind !== 'types' && { colors }),
    ...(kind !== 'colors' && { types }),
    ...withoutUndefined({
      note: applicable([colors.length > 0, PRINT_NOTE], [types.length > 0, TYPE_NOTE]),
      hint: applicable(
        [listed < total, `Only ${listed} of ${total} are listed. Name a kind or a query.`],
        [total === 0 && count > 0, `Nothing matches the query. Without it, ${count} are listed.`],
      ),
    }),
  })
}

type Styles = { colors: readonly Color[]; types: readonly TypeStyle[] }

function countOf({ colors, types }: Styles): number {
  return colors.length + types.length
}

async function matchingStyles({ colors, types }: Styles, query: string): Promise<Styles> {
  const colorQuery = await withGuideColors(query, colors)
  return {
    colors: await matching(colors, colorQuery, color => colorSearchText(color, colors)),
    types: await matching(types, query, typeSearchText),
  }
}

/** The first styles that fit into a reply, colours before type styles, with their addresses. */
function fittingStyles({ addresses }: Reader, record: Publication['record'], { colors, types }: Styles) {
  const listed = fittingEntries([
    ...colors.map(color => ({ color: { ...color, url: addresses.style(record, { list: 'colors', id: color.id }) } })),
    ...types.map(type => ({ type: { ...type, url: addresses.style(record, { list: 'types', id: type.id }) } })),
  ])
  return {
    colors: listed.filter(each => 'color' in each).map(each => each.color),
    types: listed.filter(each => 'type' in each).map(each => each.type),
  }
}

/** The files of a project, with addresses and permitted uses. */
export async function listFiles(reader: Reader, { project, query, type }: Arguments): Promise<Outcome<'list_files'>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const { record, content } = opened.value
  const files = await content.files()
  const colors = await content.colors()
  const ofType = [...files.values()].filter(file => isOfType(file, type))
  const matches = await matching(ofType, query, file => fileSearchText(file, colors, files))
  const entries = fittingEntries(matches.values().map(file => entryOf(reader, opened.value, file)))
  const isEmpty = matches.length === 0 && files.size > 0
  const hint = applicable(
    [
      entries.length < matches.length,
      `Only ${entries.length} of ${matches.length} files are listed. Name a query or a type.`,
    ],
    [isEmpty, `Nothing matches. The types here are: ${typesOf(files.values()).join(', ')}.`],
  )
  return ok({ ...refOf(record), total: matches.length, files: entries, ...withoutUndefined({ hint }) })
}

type File = Reply<'list_files'>['files'][number]

/** A file with the fields of the API, and the website fields about its use. */
function entryOf({ addresses }: Reader, { record, content }: Publication, file: BrandFile): File {
  const url = addresses.file(record, file)
  const { path, title, size, contentType, metadata, until, variantOf } = file
  return withoutUndefined({
    id: contentId('file', record.project, path),
    title,
    filename: filename(path),
    size,
    contentType,
    url,
    path: url.startsWith('file:') ? fileURLToPath(url) : undefined,
    metadata,
    ...usesOf(file),
    isExpired: until === undefined ? undefined : isExpired(file, content.today()),
    variantOf: variantOf === undefined ? undefined : contentId('file', record.project, variantOf),
  })
}

/** Whether a file has a content type (`image/png`), a kind of it (`image`), or a filename extension (`svg`). */
function isOfType({ path, contentType }: BrandFile, type: string): boolean {
  const wanted = type.toLowerCase().replace(/^\.|\/\*$/g, '')
  return (
    contentType === wanted ||
    contentType.startsWith(`${wanted}/`) ||
    wanted === '' ||
    path.toLowerCase().endsWith(`.${wanted}`)
  )
}

function typesOf(files: Iterable<BrandFile>): string[] {
  return [...new Set(Iterator.from(files).map(({ contentType }) => contentType))].sort().slice(0, 20)
}
