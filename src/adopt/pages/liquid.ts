import { type Rendered, renderLiquid } from '#formats/liquid/liquid.ts'
import { yamlValue } from '#formats/yaml/document.ts'
import { attempt } from '#platform/base/result.ts'
import { type Edit, fieldText, wordSet } from '#platform/base/text.ts'
import { markdownInHtml } from './html-tree.ts'
import { pathOf } from './includes.ts'
import { lineBefore, PALETTE_LINK, PALETTE_PATH, readTag, templateAddress } from './markup.ts'
import type { Note, PageTask, Pass } from './page.ts'

/** Replaces the Liquid on a page of a site whose generator renders it with what it makes. */
export const liquid: Pass = (text, task) => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  if (task.site === undefined) return { edits, notes }
  for (const part of renderLiquid(text, dataOf(task, task.site))) {
    const { start, end, name, failed, unknownFilters } = part
    for (const source of failed) notes.push({ at: start, what: 'failed template tag', text: source })
    for (const filter of unknownFilters) notes.push({ at: start, what: 'template filter', text: filter })
    // Others are noted when the tags that are left are read.
    const isUnknown = part.text.trim() === '' && UNKNOWN_IF_EMPTY.has(part.kind === 'value' ? 'value' : name)
    if (isUnknown || part.text === text.slice(start, end)) continue
    if (part.kind !== 'blank' && !NAMING.has(name)) notes.push({ at: start, ...noteOn(part, text) })
    edits.push(editOf(part, text))
  }
  return { edits, notes }
}

/** Tags that show nothing: they name what others show. */
const NAMING = wordSet('assign capture')
/** Values and loops for which the source has no data. */
const UNKNOWN_IF_EMPTY = wordSet('value for tablerow')

function dataOf({ path, shownPath, includes, frontMatter, kind, facts }: PageTask, site: object) {
  const page = Object(attempt(() => yamlValue(frontMatter ?? '')))
  const isHtml = kind === 'html'
  // A part of a page in HTML may be HTML already.
  const asMarkdown = (text: string) => (isHtml && !text.trim().startsWith('<') ? markdownInHtml(text) : text)
  const palette = isHtml ? `<p><a href="/@site/${PALETTE_PATH}">Colours</a></p>` : `\n\n${PALETTE_LINK}\n\n`
  return {
    values: { site, page: { ...page, path, url: templateAddress(path) } },
    partial: (name: string) => includes.get(pathOf(name, shownPath, includes)),
    filters: {
      relative_url: String,
      absolute_url: String,
      markdownify: (value: unknown) => asMarkdown(`${value ?? ''}`),
    },
    blocks: { markdown: markdownInHtml },
    loop: (items: unknown) => (facts.palettes?.length && isPalette(items) ? palette : undefined),
  }
}

/** Whether items are colours with their values, which the guide has as its palette. */
function isPalette(items: unknown): boolean {
  const isColor = (item: unknown) => Object.values(Object(item)).some(value => HEX.test(String(value)))
  return Array.isArray(items) && items.length > 1 && items.every(isColor)
}

const HEX = /^(?:#?[\da-f]{6}|#[\da-f]{3})$/i

function noteOn({ start, end, name, text: made }: Rendered, text: string) {
  const { words, named } = readTag(text.slice(start, Math.min(end, start + 500)))
  if (name.startsWith('include'))
    return { what: 'include', became: `the text of ${words[0] ?? fieldText(named, 'file')}` }
  return { what: name === '' ? 'template value' : `tag ${name}`, became: made.trim().slice(0, MAX_TOLD) || 'nothing' }
}

const MAX_TOLD = 200

/** The change of a text; a line that would be empty goes as well, since it would end HTML in Markdown. */
function editOf({ start, end, text: made }: Rendered, text: string): Edit {
  const before = lineBefore(text, start)
  REST.lastIndex = end
  const isEmpty = made.trim() === '' && before.trim() === '' && REST.test(text)
  return isEmpty ? { start: start - before.length, end: REST.lastIndex, text: '' } : { start, end, text: made }
}

const REST = /[ \t]*\n/y
