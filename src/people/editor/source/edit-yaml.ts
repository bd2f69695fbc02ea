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
  const value = plain(document)
  const isEnded = text === '' || text.endsWith('\n')
  for (const isByWords of [true, false]) {
    const merged = merge(before, after, isEnded ? text : `${text}\n`, isByWords)
    const edited = isEnded ? merged : merged.trimEnd()
    if (value !== undefined && isDeepStrictEqual(value, plain(parseYamlDocument(edited)))) return ok(edited)
  }
  return failed(UNSURE)
}

const UNSURE = 'a change would touch a form of YAML that this page does not keep; edit the file with git'

function printOf(document: Document, text: string): string | undefined {
  return attempt(() =>
    document.toString({
      indent: indentIn(text),
      indentSeq: !/^( *)[^\s#-].*:\n\1- /m.test(text),
      lineWidth: 0,
      doubleQuotedMinMultiLineLength: Infinity,
      flowCollectionPadding: text.includes('{ '),
    }),
  )
}

/** The indent of the first mapping below a key of a file. */
function indentIn(text: string): number {
  const [, , dash = '', spaces = ''] = groupsOf(/^( *)(- +)?[^\s#-].*:\n\1( +)(?=[^\s#-])/m, text)
  return spaces.length - dash.length || 2
}

/** Applies the change between two prints of a document to its text, in the entries that it changes. */
function merge(before: string, after: string, text: string, isByWords: boolean): string {
  const [base, own] = [chunksOf(before), chunksOf(text)]
  let [merged, at] = ['', 0]
  let [old, mine, theirs] = ['', '', '']
  const end = () => {
    merged += mergeLines(old, mine, theirs, isByWords)
    ;[old, mine, theirs] = ['', '', '']
  }
  for (const { added, removed, value } of diffArrays(base, chunksOf(after))) {
    if (added) mine += value.join('')
    else
      for (const chunk of value) {
        // New entries are like the one above them.
        if (!removed) end()
        old += chunk
        theirs += own[at++] ?? ''
        if (!removed) mine += chunk
      }
  }
  end()
  return merged + own.slice(at).join('')
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
  /** How much farther to the right the text begins, by places in the print. */
  const shifts = new Map<number, number>()
  let shift = 0
  const merged = passagesOf(before, after, text, LINES).map(passage => {
    const { base, mine, theirs } = passage
    const own = LINES.keyOf(base) === LINES.keyOf(theirs) ? placesIn(theirs) : []
    for (const [at, { column }] of own.entries()) {
      const printed = placesIn(base)[at]
      if (printed) shifts.set(printed.place, column - printed.column)
    }
    const kept = mergedText(passage)
    if (kept === base || kept === theirs) return kept
    if (base !== '' && isByWords)
      return passagesOf(base, mine, theirs, WORDS)
        .map(word => mergedText(word) ?? word.mine)
        .join('')
    const [old, same, first] = [base, theirs, mine].map(part => placesIn(part.replace(/^\n+/, ''))[0])
    shift = old && same ? same.column - old.column : (shifts.get(first?.place ?? -1) ?? shift)
    return mine.replaceAll(/^ *(?=\S)/gm, ({ length }) => ' '.repeat(Math.max(0, length + shift)))
  })
  return merged.join('')
}

/** Lines are the same also with other blank space. */
const LINES = { cut: /(?<=\n)/, keyOf: (line: string) => line.replaceAll(/\s+/g, '') }
const WORDS = { cut: /(?=[^\p{L}\p{N}])|(?<=[^\p{L}\p{N}])/u }

/** The places of the dashes of a line, and of what follows them; none of a comment or a closing bracket. */
function placesIn(line: string): { place: number; column: number }[] {
  const [start] = groupsOf(/^ *(?:- +)*(?=[^\s#\]}])/, line)
  if (start === undefined) return []
  return [...start.matchAll(/(?=- )|$/g)].map(({ index }) => ({
    place: 2 * index + (index < start.length ? 0 : 1),
    column: index,
  }))
}

function plain(document: Document): unknown {
  return attempt(() => document.toJS({ mapAsMap: true }))
}
