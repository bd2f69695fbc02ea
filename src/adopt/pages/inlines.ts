import { headingIds, splitHeading } from '#formats/markdown/heading-ids.ts'
import { readBlocks, shownPage, withoutCode } from '#formats/markdown/page-blocks.ts'
import { foreignComments } from '#intake/markdown/foreign-comments.ts'
import { lazy } from '#platform/base/object.ts'
import type { Edit } from '#platform/base/text.ts'
import { groupsOf, inFormats, wordSet } from '#platform/base/text.ts'
import { alertKind } from './components.ts'
import { foreignSyntax, type SyntaxId } from './foreign-syntax.ts'
import { attributes, encodePath, image, sizedPicture } from './markup.ts'
import type { Note, PageTask, Pass } from './page.ts'

/** Removes comments of authors, which would be published: their text is lost. Tags on several lines become one line. */
export const comments: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  for (const { start, end, program } of foreignComments(text)) {
    const words = text.slice(start, end)
    notes.push({ at: start, what: `comment of ${program}`, text: words, isOffPage: true })
    edits.push({ start, end, text: words.replace(/[^\n]/g, '') })
  }
  for (const { index: start, 0: words } of withoutCode(text).matchAll(UNSEEN)) {
    const tag = words.trimStart()
    const at = start + words.length - tag.length
    if (!tag.startsWith('<meta')) notes.push({ at, what: 'emoji or icon', text: tag })
    edits.push({ start, end: start + words.length, text: '' })
  }
  let open = -1
  for (const { index, 0: mark } of withoutCode(text).matchAll(TAG_MARKS)) {
    const tag = mark.startsWith('{') || open < 0 ? '' : text.slice(open, Math.min(index, open + 10_000))
    for (const { index: at, 0: lines } of tag.matchAll(/\n\s*/g))
      edits.push({ start: open + at, end: open + at + lines.length, text: ' ' })
    open = mark.startsWith('{') ? index : -1
  }
  return { edits, notes }
}

/**
 * Names that a font of Google shows as icons, and elements for search engines and other services; with the line break
 * between them and a tag, since an empty line would end the HTML around them.
 */
const UNSEEN = (() => {
  const icon =
    '<(?:i|span)\\s[^<>]{0,200}?class="[^"<>]{0,200}\\bmaterial-(?:icons|symbols)[^"<>]{0,200}"[^<>]{0,200}>[^<>]{0,99}</(?:i|span)>'
  const either = `(?:${icon}|<meta\\s[^<>]*>)`
  return new RegExp(`(?:\\n(?<=>[ \\t]*\\n)[ \\t]*)?${either}`, 'g')
})()

/** The marks of tags and calls that may be on several lines, where Markdown would divide them. */
const TAG_MARKS = /\{%|\{\{(?=[<%]|-?\s*\w+\()|[%}]\}/g

/** Converts the syntax of other programs in the text; what has no form here stays there, and is lost. */
export const inlines: Pass = (text, task) => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const blocks = readBlocks(text)
  const isHtml = new Uint8Array(text.length)
  for (const { start, text: html } of blocks.filter(({ kind }) => kind === 'html'))
    isHtml.fill(1, start, start + html.length)
  const headings = blocks
    .filter(({ level }) => level > 0)
    .map(({ start, text: own }) => {
      return { ...splitHeading(own.trimEnd()), start, own }
    })
  for (const { start, own, mark = '', id, isPlain } of headings) {
    if (id === undefined || isPlain) continue
    const [at, became] = [start + own.lastIndexOf(mark), `{#${id}}`]
    notes.push({ at, what: 'attribute list', became })
    edits.push({ start: at, end: at + mark.length, text: became })
  }
  const shown = lazy(() => shownPage(text, blocks))
  for (const { id = 'code', matches } of foreignSyntax(text, shown)) {
    const [name, convert] = CONVERTERS[id] ?? ['syntax of another program']
    for (const match of matches) {
      const start = match.index + match[0].length - match[0].trimStart().length
      const source = text.slice(start, start + match[0].trim().length)
      const end = start + source.length
      const gap = Number(/^[\s[(]? $/.test(text.charAt(start - 1) + text.charAt(end)))
      const result = isHtml[start] === 1 ? undefined : convert?.(match, text, task)
      const changes = typeof result === 'string' ? [{ start, end, text: result }] : (result ?? [])
      const became = changes.map(edit => edit.text.split('\n')[0]).join('…')
      notes.push({ at: start, what: name, ...(result ? { became: became || 'nothing' } : { text: source }) })
      edits.push(...(result === null ? [{ start, end: end + gap, text: '' }] : changes))
    }
  }
  return { edits, notes }
}

/** Gives the new text of a match, or edits around it, null if it is removed and lost, or undefined if it stays and is lost. */
type Converter = (match: RegExpExecArray, text: string, task: PageTask) => string | Edit[] | null | undefined

/** The syntax that has a form here; the rest stays as text. */
const CONVERTERS: { readonly [id in SyntaxId | 'code']?: readonly [what: string, convert?: Converter] } = {
  code: ['code syntax'],
  embed: ['embed', wiki],
  wikiLink: ['wiki link', wiki],
  highlight: ['highlight', wrap('<mark>', '</mark>', 2)],
  callout: ['callout', callout],
  blockId: ['block id', () => null],
  widePicture: ['size of a picture', sizedPicture],
  inserted: ['inserted text', wrap('<ins>', '</ins>', 2)],
  keys: ['keys', ([keys]) => keys.slice(2, -2).replace(/"?([^+"]+)"?/g, '<kbd>$1</kbd>')],
  contents: ['table of contents', remove],
  emoji: ['emoji or icon', emojiOrIcon],
  snippet: ['included text', () => null],
  codeFile: ['included code', () => null],
  definition: ['definition', definition],
  abbreviation: ['abbreviation', () => null],
  subscript: ['subscript', wrap('<sub>', '</sub>', 1)],
  superscript: ['superscript', wrap('<sup>', '</sup>', 1)],
  attributeList: ['attribute list', (match, text) => attributes(match, text) ?? null],
  pictureSize: ['size of a picture', sizedPicture],
}

/** An item of a list below the term in bold, so that the indented paragraphs of a definition belong to it. */
function definition({ index, 0: source }: RegExpExecArray, text: string): Edit[] {
  const start = index + source.indexOf(':')
  const edits = [{ start, end: start + 1, text: '-' }]
  const term = /(?:^|\n)([\p{L}\p{N}`"([][^*\n]*?)[ \t]*\n(?:[ \t]*\n)?[ \t]*$/u.exec(
    text.slice(Math.max(0, index - 500), start),
  )
  if (!term?.[1]) return edits
  const from = start - (term[0].length - term[0].indexOf(term[1]))
  return [
    { start: from, end: from, text: '**' },
    { start: from + term[1].length, end: from + term[1].length, text: '**' },
    ...edits,
  ]
}

/** Icons of MkDocs are decoration; other names may be text. */
function emojiOrIcon([source]: RegExpExecArray): string | null | undefined {
  const [set = ''] = source.slice(1).split('-', 1)
  return EMOJI.get(source.slice(1, -1)) ?? (ICONS.has(set) ? null : undefined)
}

function remove({ index, 0: { length } }: RegExpExecArray): Edit[] {
  return [{ start: index, end: index + length, text: '' }]
}

function wrap(before: string, after: string, size: number): Converter {
  return ({ index, 0: { length } }) => [
    { start: index, end: index + size, text: before },
    { start: index + length - size, end: index + length, text: after },
  ]
}

/** The mark and title of a callout in a quote, also in a list. */
function callout({ index, 0: { length }, 1: type = '' }: RegExpExecArray, text: string): Edit[] | undefined {
  const [mark = '', before = ''] = groupsOf(/^([^[]*)\[![^\]]*\][+-]?[ \t]*/, text.slice(index, index + length))
  const [start, end] = [index + before.length, index + length]
  const quote = text.slice(text.lastIndexOf('\n', start) + 1, start).replace(/[^>\s]/g, ' ')
  if (!quote.includes('>')) return undefined
  const alert = { start, end: index + mark.length, text: `[!${alertKind(type)}]` }
  if (mark.length === length) return [alert]
  return [
    { ...alert, text: `${alert.text}\n${quote}**` },
    { start: end, end, text: `**\n${quote.trimEnd()}` },
  ]
}

/** `[[page#heading|text]]`, on some sites the text first, or `![[file|text|size]]`, which is a picture or else a link. */
function wiki({ index, 0: { length } }: RegExpExecArray, text: string, { facts }: PageTask): string {
  const source = text.slice(index, index + length)
  const isEmbed = source.startsWith('!')
  const parts = source.slice(isEmbed ? 3 : 2, -2).split(/\\?\|/)
  const [target = '', ...options] = facts.isTextFirst && !isEmbed ? parts.reverse() : parts
  const [page = '', ...headings] = target.trim().split('#')
  const isPicture = isEmbed && PICTURE.test(page)
  const size = options.find(each => isPicture && /^\s*\d+(?:x\d+)?\s*$/.test(each))
  const label = options.find(each => each !== size)?.trim()
  const address = page && `/@wiki/${encodePath(page)}`
  const [width, height] = `${size ?? ''}`.trim().split('x')
  if (isPicture) return width ? image(address, label ?? '', { width, height }) : `![${label ?? ''}](${address})`
  const heading = `${headings.at(-1) ?? ''}`.trim().replace(/^\^.*/, '')
  const link = heading ? `${address}#${headingIds()(heading)}` : address
  const words = label ?? [page, heading].filter(Boolean).join(' > ')
  return link ? `[${words}](${link})` : words
}

const PICTURE = inFormats('png, jpg, jpeg, gif, svg, webp, avif, bmp')

const ICONS = wordSet('material fontawesome octicons simple lucide')
const EMOJI = new Map(
  Array.from(
    `white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ no_entry ⛔ no_entry_sign 🚫 warning ⚠️ bulb 💡
  information_source ℹ️ question ❓ exclamation ❗ rotating_light 🚨 construction 🚧 rocket 🚀 star ⭐ sparkles ✨ tada 🎉 fire 🔥
  heart ❤️ +1 👍 -1 👎 thumbsup 👍 thumbsdown 👎 ok_hand 👌 clap 👏 wave 👋 raised_hands 🙌 point_right 👉 eyes 👀 smile 😄 smiley 😃
  thinking 🤔 memo 📝 pencil ✏️ pencil2 ✏️ book 📖 books 📚 link 🔗 pushpin 📌 mag 🔍 key 🔑 lock 🔒 art 🎨 bug 🐛 wrench 🔧 gear ⚙️
  package 📦 arrow_right ➡️ arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️ calendar 📅 email 📧 phone ☎️ camera 📷 movie_camera 🎥`.matchAll(
      /(?<!\S)(\S+)\s+(\S+)/g,
    ),
    ([, name = '', emoji = '']) => [name, emoji] as const,
  ),
)
