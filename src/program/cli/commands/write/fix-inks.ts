import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMap, isScalar, isSeq, type Pair, type Scalar, stringify, type YAMLMap } from 'yaml'
import type { Finding } from '#brand/finding.ts'
import { isPlaceholder } from '#brand/placeholder.ts'
import { PANTONE_KEYS, usualPantones } from '#brand/styles/pantone.ts'
import { parseYamlDocument } from '#formats/yaml/document.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { type Edit, groupsOf } from '#platform/base/text.ts'
import { editFile } from './edit-file.ts'

/**
 * Spells Pantone references as libraries of inks do, in the lists with findings about them, on disk if `isWritten`: the
 * diffs, and why files were not written.
 */
export async function fixInks(
  folder: string,
  findings: readonly Finding[],
  workingFolder: string,
  isWritten: boolean,
): Promise<{ diffs: string[]; problems: string[] }> {
  const lists = new Set(findings.filter(({ rule }) => rule === 'ink-spelling').map(({ path }) => path))
  const fixes: { diffs: string[]; problems: string[] } = { diffs: [], problems: [] }
  for (const list of lists) {
    const path = join(folder, list)
    const bytes = await readFile(path)
    const edits = listEdits(decodeText(bytes) ?? '', PANTONE_KEYS, usualTexts)
    const edited = await editFile({ path, root: folder, bytes, edits }, workingFolder, isWritten)
    if (edited.ok) fixes.diffs.push(edited.value.diff)
    else fixes.problems.push(edited.problem)
  }
  return fixes
}

/** The references of a colour in their usual spelling; none if it has more than there are keys for. */
function usualTexts(texts: Texts): Texts {
  const references = PANTONE_KEYS.flatMap(key => {
    const text = texts[key]
    return text === undefined || isPlaceholder(text) ? [] : [[key, text]]
  })
  const { usual, rest } = usualPantones(Object.fromEntries(references))
  return rest.length > 0 ? {} : usual
}

type Texts = Readonly<Record<string, string>>
type StringPair = Pair<Scalar<string>, Scalar<string>>

/**
 * The edits that change strings in the mappings of a list; every other character stays. `change` gets the strings with these
 * keys that are on one line, and gives other ones. A new key follows the last of them.
 */
function listEdits(text: string, keys: readonly string[], change: (texts: Texts) => Texts): Edit[] {
  const { contents } = parseYamlDocument(text)
  const entries = isSeq(contents) ? contents.items.filter(item => isMap(item)) : []
  return entries.flatMap(entry => {
    const pairs = entry.items.filter(isStringPair).filter(({ key, value }) => {
      const { start, end } = placeOf(value)
      return keys.includes(key.value) && !text.slice(start, end).includes('\n')
    })
    const texts = Object.fromEntries(pairs.map(({ key, value }) => [key.value, value?.value ?? '']))
    const changes = Object.entries(change(texts)).filter(([key, wanted]) => texts[key] !== wanted)
    const edits = changes.flatMap(([key, wanted]) => editOf(text, entry, pairs, key, wanted))
    // A key without a value cannot be added: a part of the changes could lose a string.
    return edits.length === changes.length ? edits : []
  })
}

function isStringPair(pair: Pair): pair is StringPair {
  return [pair.key, pair.value].every(node => isScalar<unknown>(node) && typeof node.value === 'string')
}

/** Replaces the string of a key, or adds the key. */
function editOf(text: string, entry: YAMLMap, pairs: StringPair[], key: string, wanted: string): Edit[] {
  const old = pairs.find(pair => pair.key.value === key)?.value
  if (old) return [{ ...placeOf(old), text: sourceOf(wanted, old.type) }]
  const last = pairs.at(-1)
  return last && !entry.has(key) ? [addition(text, last, `${key}: ${sourceOf(wanted)}`, entry.flow)] : []
}

/** Adds a pair behind another one: on the next line, or between brackets. */
function addition(text: string, { key, value }: StringPair, pair: string, isFlow = false): Edit {
  const { end } = placeOf(value)
  if (isFlow) return { start: end, end, text: `, ${pair}` }
  const { start } = placeOf(key)
  const column = start - text.lastIndexOf('\n', start - 1) - 1
  const [lineEnd = '\n'] = groupsOf(/\r?\n/, text)
  const at = end + text.slice(end).search(/\r?\n|$/)
  return { start: at, end: at, text: `${lineEnd}${' '.repeat(column)}${pair}` }
}

function placeOf(node: Scalar | null): { start: number; end: number } {
  const [start = 0, end = 0] = node?.range ?? []
  return { start, end }
}

/** The YAML of a string, in the quotes that it had before if any, as it may be between brackets. */
function sourceOf(text: string, type: Scalar['type'] = 'PLAIN'): string {
  const form = { defaultStringType: type, collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 } as const
  return stringify([text], form).slice(1, -2)
}
