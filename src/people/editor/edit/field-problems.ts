import { isNode, LineCounter } from 'yaml'
import type { Problem } from '#brand/finding.ts'
import { joinWords, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { type Field, fieldsOfFile, inEnglish } from '../fields.ts'
import { parseYaml } from '../source/edit-yaml.ts'
import { openText } from '../source/edited-text.ts'
import { entriesOf, NEW, nameIn, partOf, REMOVE, type SentForm } from './form-parts.ts'

/**
 * The problems of the new text of a form at its fields; those without a field are in `problem`, with their lines. Problems
 * at fields that the person touched are the cause of others.
 */
export function problemsAtFields(
  words: Words,
  form: SentForm,
  { text, found, touched }: { text: string; found: readonly Problem[]; touched: ReadonlySet<string> },
): { problems: ReadonlyMap<string, Word>; problem?: Word } {
  const problems = new Map<string, Word>()
  const others: Word[] = []
  if (found.length === 0) return { problems }
  const names = namesByLine(words, form, openText(form.kind, text).yaml?.text ?? '')
  for (const { line, message } of found) {
    const name = names.get((line ?? 0) - (form.kind === 'page' ? 1 : 0))
    if (name !== undefined) problems.set(name, inEnglish(words, message))
    else others.push(line === null ? inEnglish(words, message) : words.edit.line({ line, problem: message }))
  }
  const causes = new Map([...problems].filter(([name]) => touched.has(name)))
  if (causes.size > 0) return { problems: causes }
  return { problems, ...(others.length > 0 && { problem: joinWords(others, ' ') }) }
}

/** The names of the controls whose values are on the lines of YAML. The form has other indexes if it removes entries. */
function namesByLine(words: Words, { kind, opened, sent }: SentForm, yaml: string): ReadonlyMap<number, string> {
  const removed = new Set(sent.get(REMOVE))
  const lineCounter = new LineCounter()
  const names = new Map<number, string>()
  const walk = (fields: readonly Field[] = [], item: unknown, old: unknown, parent: string) => {
    for (const field of fields) {
      const [part, before, name] = [partOf(field, item), partOf(field, old), nameIn(parent, field.name)]
      if (field.kind === 'object') walk(field.fields, part, before, name)
      else if (field.kind === 'list' || field.kind === 'keyed') {
        const kept = entriesOf(field, before).filter(({ at }) => !removed.has(nameIn(name, at)))
        for (const [at, entry] of entriesOf(field, part).entries())
          walk(field.fields, entry.item, kept[at]?.item, nameIn(name, kept[at]?.at ?? NEW))
      } else if (isNode(part) && part.range) {
        const last = lineCounter.linePos(Math.max(part.range[0], part.range[1] - 1)).line
        for (let { line } = lineCounter.linePos(part.range[0]); line <= last; line++)
          if (!names.has(line)) names.set(line, name)
      }
    }
  }
  walk(fieldsOfFile(kind, words), parseYaml(yaml, lineCounter), opened.yaml?.root, '')
  return names
}
