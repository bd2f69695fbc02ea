import { withoutUndefined } from '../../base/object.ts'
import type { Problem, RuleId } from '../../brand/finding.ts'
import type { PageId } from '../../brand/ids.ts'
import { normalText } from '../folder/utf8.ts'
import { type Fields, readFields, readOptional } from '../yaml/fields.ts'
import { readPageId } from '../yaml/ids.ts'
import { readNumber } from '../yaml/numbers.ts'
import { type Reader, refuse } from '../yaml/reader.ts'
import { type Reference, readReference } from '../yaml/references.ts'
import { readDescription, readFlag, readName, readShortText } from '../yaml/texts.ts'
import { readYaml } from '../yaml/yaml.ts'
import { type Alias, readAliases } from './aliases.ts'

/** A page, split into front matter and content. */
export type SplitPage = {
  /** The YAML between the two `---` lines; absent if the page has no front matter. */
  yaml?: string
  /** Everything after the closing `---` line, untrimmed. */
  content: string
  /** The line that the content begins at. */
  contentLine: number
}

/** What the front matter of a page says. */
export type FrontMatter = { title?: string; id?: PageId; description?: string; order?: number } & WrittenNotes

/** What the website is told of a page; the cover and the ground as written. */
export type WrittenNotes = { cover?: Reference; ground?: Reference; wide?: boolean; nav?: string; aliases?: Alias[] }

/**
 * Splits a page into front matter and content, without a byte order mark and with LF as line end. Front matter starts
 * with `---` on the first line and ends with the next `---` line. If there is no such line, all of it is content.
 */
export function splitFrontMatter(page: string): SplitPage {
  const text = normalText(page)
  const opening = /^---[ \t]*\n/.exec(text)?.[0].length
  if (opening === undefined) return { content: text, contentLine: 1 }
  // The search starts at the end of the opening line, since the closing line may be the next.
  const closing = /\n---[ \t]*(?:\n|$)/g
  closing.lastIndex = opening - 1
  const end = closing.exec(text)
  if (end === null) return { content: text, contentLine: 1 }
  const yaml = text.slice(opening, end.index + 1)
  const contentLine = yaml.split('\n').length + 2
  return { yaml, content: text.slice(closing.lastIndex), contentLine }
}

/** Reports content that begins with what was meant as front matter. */
export function brokenFrontMatter({ yaml, content }: SplitPage): Problem[] {
  const [before] = (yaml === undefined && MEANT.exec(content)) || []
  if (before === undefined) return []
  const line = before.split('\n').length - 2
  const message =
    line === 1
      ? 'no second --- line ends the front matter, so that all of it is text: write one below its last key, or *** where a rule is meant'
      : 'the front matter does not begin on the first line, so that it is text: remove what is above it, or write *** where a rule is meant'
  return [{ rule: 'front-matter-open', line, message }]
}

/** A rule at the beginning, and a key below it. */
const MEANT = /^\s*---[ \t]*\n[\w-]+:(?:[ \t].*)?\n/

/**
 * Reads the YAML of front matter, which starts on line 2 of a page. Unknown keys, which other tools use, are warnings.
 */
export function readFrontMatter(yaml: string): { frontMatter: FrontMatter; problems: Problem[] } {
  const { root, problems } = readYaml(yaml, 2)
  if (root === undefined || root.kind === 'empty') return { frontMatter: {}, problems }
  if (root.kind !== 'mapping') {
    const message = `the page begins with front matter that is a ${root.kind}; write "title: …" and the like, or *** where a rule is meant`
    problems.push({ rule: 'yaml-syntax', line: root.line, message })
    return { frontMatter: {}, problems }
  }
  const keys = ['title', 'id', 'description', 'order', 'cover', 'ground', 'wide', 'nav', 'aliases'] as const
  const fields = readFields(root, 'front matter', keys, problems, 'front-matter-key-unknown')
  if (fields === undefined) return { frontMatter: {}, problems }
  const frontMatter = withoutUndefined({
    title: readOptional(fields, 'title', readName),
    id: readOptional(fields, 'id', readPageId),
    description: readOptional(fields, 'description', readDescription),
    order: readOptional(
      fields,
      'order',
      readNumber('a number, as in 10', () => true),
    ),
    ...readNotes(fields),
  })
  return { frontMatter, problems }
}

function readNotes(fields: Fields<string>): WrittenNotes {
  return withoutUndefined({
    cover: leniently(fields, 'cover', readReference, 'cover-unknown'),
    ground: leniently(fields, 'ground', readReference),
    wide: leniently(fields, 'wide', readFlag),
    nav: leniently(fields, 'nav', readNav),
    aliases: readAliases(fields),
  })
}

/** A value that is wrong is a warning, since other tools have such keys too, in forms of their own. */
function leniently<Key extends string, Value>(
  fields: Fields<Key>,
  key: NoInfer<Key>,
  read: Reader<Value>,
  rule: RuleId = 'front-matter-value-unknown',
): Value | undefined {
  const problems: Problem[] = []
  const value = readOptional({ ...fields, problems }, key, read)
  fields.problems.push(...problems.map(({ line, message }) => ({ rule, line, message })))
  return value
}

const readNav: Reader<string> = node => {
  const name = readShortText(node)
  return name.ok && /^(?:true|false)$/i.test(name.value) ? refuse(node, 'write a short name') : name
}
