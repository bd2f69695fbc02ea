import { isDeepStrictEqual } from 'node:util'
import { diffArrays } from 'diff'
import { type Document, isCollection } from 'yaml'
import { parseYamlDocument } from '#formats/yaml/document.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { mergedText, passagesOf } from '#publishing/git/edit/merge.ts'
import { startOf } from './yaml-nodes.ts'

/**
 * The YAML after a change of its document. The library prints the document before and after the change; what differs is
 * merged into the text, so that every other character stays.
 */
export function editYaml(text: string, change: (document: Document) => void): Result<string, string> {
  const document = parseYamlDocument(text)
  const before = printOf(document, text)
  change(document)
  const after = printOf(document, text)
  if (before === undefined || after === undefined) return failed(UNSURE)
  if (before === after) return ok(text)
  const wantedValue = plain(document)
  const isEnded = text === '' || text.endsWith('\n')
  // Word by word, more of the text stays as it is. A result counts only if it has the value of the changed document.
  for (const isByWords of [true, false]) {
    const merged = merge(before, after, isEnded ? text : `${text}\n`, isByWords)
    const edited = isEnded ? merged : merged.trimEnd()
    if (wantedValue !== undefined && isDeepStrictEqual(wantedValue, plain(parseYamlDocument(edited)))) return ok(edited)
  }
  return failed(UNSURE)
}

const UNSURE = 'a change would touch a form of YAML that this page does not keep; edit the file with git'

/** The document as the library prints it, in the style of the text; undefined if it cannot. */
function printOf(document: Document, text: string): string | undefined {
  return attempt(() =>
    document.toString({
      indent: indentIn(text),
      // Lists are indented, unless one of the text has its dashes directly below its key.
      indentSeq: !/^( *)[^\s#-].*:\n\1- /m.test(text),
      lineWidth: 0,
      doubleQuotedMinMultiLineLength: Infinity,
      flowCollectionPadding: text.includes('{ '),
    }),
  )
}

/** The indent of the first mapping below a key of a file. */
function indentIn(text: string): number {
  // `key:` and on the next line more spaces and a word, perhaps after a dash before the key.
  const [, , dash = '', spaces = ''] = groupsOf(/^( *)(- +)?[^\s#-].*:\n\1( +)(?=[^\s#-])/m, text)
  return spaces.length - dash.length || 2
}

/**
 * Applies the change between two prints of a document to its text, in the entries that it changes. The print of the old
 * document and the text have the same entries in the same order, so an entry of the text stays as it is written while its
 * print does; the entries between are merged line by line.
 */
function merge(before: string, after: string, text: string, isByWords: boolean): string {
  const entriesOfText = chunksOf(text)
  let merged = ''
  // The index of the next entry of the text.
  let at = 0
  /** Entries in a row that change: as the print was, as it is, and as the text has them. */
  let passage = { before: '', after: '', text: '' }
  const endPassage = () => {
    merged += mergeLines(passage.before, passage.after, passage.text, isByWords)
    passage = { before: '', after: '', text: '' }
  }
  for (const { added, removed, value } of diffArrays(chunksOf(before), chunksOf(after))) {
    if (added) passage.after += value.join('')
    else
      for (const entry of value) {
        // New entries are like the one above them, which begins the passage.
        if (!removed) endPassage()
        passage.before += entry
        passage.text += entriesOfText[at] ?? ''
        at += 1
        if (!removed) passage.after += entry
      }
  }
  endPassage()
  return merged + entriesOfText.slice(at).join('')
}

/** The lines of each entry of the root, and those above them. */
function chunksOf(text: string): string[] {
  const { contents } = parseYamlDocument(text)
  const starts =
    isCollection(contents) && !contents.flow ? contents.items.flatMap(item => startOf(item)?.range?.[0] ?? []) : []
  const lines = [0, ...starts.map(start => text.lastIndexOf('\n', start - 1) + 1), text.length]
  return lines.slice(1).map((line, index) => text.slice(lines[index], line))
}

/**
 * Merges the lines of entries. Lines that differ in both are merged word by word, or taken from the print, with the indents
 * of the text.
 */
function mergeLines(before: string, after: string, text: string, isByWords: boolean): string {
  /** How much farther to the right the text begins than the print, by places in the print (see `placesIn`). */
  const shifts = new Map<number, number>()
  let shift = 0
  const mergedPassages = passagesOf(before, after, text, LINES).map(passage => {
    const { base, mine, theirs } = passage
    const placesOfText = LINES.keyOf(base) === LINES.keyOf(theirs) ? placesIn(theirs) : []
    for (const [at, { column }] of placesOfText.entries()) {
      const printed = placesIn(base)[at]
      if (printed) shifts.set(printed.place, column - printed.column)
    }
    // Here, `base` is the old print, `mine` the new print, and `theirs` the text.
    const merged = mergedText(passage)
    if (merged === base || merged === theirs) return merged
    if (base !== '' && isByWords)
      return passagesOf(base, mine, theirs, WORDS)
        .map(word => mergedText(word) ?? word.mine)
        .join('')
    // The new print, moved as far to the right as the text is from the old print there, or at an earlier line of its kind.
    const [basePlace, textPlace, newPlace] = [base, theirs, mine].map(part => placesIn(part.replace(/^\n+/, ''))[0])
    shift = basePlace && textPlace ? textPlace.column - basePlace.column : (shifts.get(newPlace?.place ?? -1) ?? shift)
    return mine.replaceAll(/^ *(?=\S)/gm, ({ length }) => ' '.repeat(Math.max(0, length + shift)))
  })
  return mergedPassages.join('')
}

/** Lines are the same also with other blank space. */
const LINES = { cut: /(?<=\n)/, keyOf: (line: string) => line.replaceAll(/\s+/g, '') }
/** Words, and single characters between them. */
const WORDS = { cut: /(?=[^\p{L}\p{N}])|(?<=[^\p{L}\p{N}])/u }

/**
 * The places of the dashes of a line, and of what follows them: two for `  - name: Ink`, columns 2 and 4. An even place is
 * that of a dash, an odd one that of a key. None of a comment or a closing bracket.
 */
function placesIn(line: string): { place: number; column: number }[] {
  const [start] = groupsOf(/^ *(?:- +)*(?=[^\s#\]}])/, line)
  if (start === undefined) return []
  return [...start.matchAll(/(?=- )|$/g)].map(({ index }) => ({
    place: 2 * index + (index < start.length ? 0 : 1),
    column: index,
  }))
}

/** The value of a document; undefined if it cannot be read. */
function plain(document: Document): unknown {
  return attempt(() => document.toJS({ mapAsMap: true }))
}
