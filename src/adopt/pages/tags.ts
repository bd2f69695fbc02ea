import type { Edit } from '#base/text.ts'
import { readBlocks } from '#brand/markdown/page-blocks.ts'
import type { TemplateTagKind } from '#brand/markdown/template-tags.ts'
import { foreignTags } from '#intake/markdown/foreign-syntax.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { encodePath, readArguments, sizedPicture } from './markup.ts'
import type { PageTask, Pass } from './page.ts'

/**
 * Replaces the tags of template systems with their results. Others are lost: a value without a result stays
 * where it is, and tags around content leave only the content.
 */
export const tags: Pass = (text, { task, lineOf }) => {
  const [edits, notes]: [Edit[], Notes] = [[], noNotes()]
  let isRaw = false
  for (const { start, end, kind, source } of foreignTags(text, readBlocks(text))) {
    const tag = readTag(source)
    if (isRaw && tag.name !== 'endraw') continue
    isRaw = tag.name === 'raw'
    const isAddress = /\]\(<?$|=["']?$/.test(text.slice(Math.max(0, start - 9), start))
    const what = WHAT[kind] ?? `tag ${tag.name}`
    const place = { path: task.shownPath, line: lineOf(start), what }
    const sized = kind === 'attributes' ? sizedPicture({ index: start, 0: source }, text) : undefined
    const result = sized?.[0]?.text ?? resultOf(tag, isAddress, task)
    const unsaid = [...tag.named.values(), ...tag.words].filter(
      each => /\p{L}\s+\S/u.test(each) && !result?.replaceAll('%20', ' ').includes(each),
    )
    if (result !== undefined) notes.converted.push({ ...place, became: result || 'nothing' })
    if (result !== undefined && kind !== 'value') notes.lost.push(...unsaid.map(words => ({ ...place, text: words })))
    if (result === undefined && !/^(?:end|\/)/.test(tag.name)) notes.lost.push({ ...place, text: source })
    if (sized !== undefined) edits.push(...sized)
    else if (result !== undefined || kind !== 'value') edits.push({ start, end, text: result ?? '' })
  }
  return { edits, notes }
}

const WHAT: Partial<Record<TemplateTagKind, string>> = {
  value: 'template value',
  attributes: 'attribute list',
  module: 'import or export',
}

/** `{% name words named="value" %}`; the name of a value is all of it. */
type Tag = { inner: string; name: string; named: ReadonlyMap<string, string>; words: readonly string[] }

function readTag(source: string): Tag {
  const inner = source.replace(/^\{(?:\{[<%]|[{%:])-?\s*|\s*[-/>%]*[%}]?\}$/g, '')
  const name = /^\/?\s*[\w-]+/.exec(inner)?.[0] ?? ''
  return { inner, name: name.replace(/\s/g, ''), ...readArguments(inner.slice(name.length)) }
}

/** Gives the Markdown instead of a tag; undefined if there is none. */
function resultOf({ inner, name, named, words }: Tag, isAddress: boolean, { facts }: PageTask): string | undefined {
  if (/^(?:raw|endraw|toc|nomarkdown)$/.test(name) || inner === 'site.baseurl') return ''
  if (inner === 'site.url' && isAddress) return ''
  const [, , literal] = LITERAL.exec(inner) ?? []
  if (literal !== undefined) return literal
  const variable = facts.variables.get(inner)
  if (variable !== undefined) return variable
  if (/^(?:link|ref|relref|post_url)$/.test(name)) {
    const [target = '', fragment] = (named.get('path') ?? words.join(' ')).split('#')
    const path = encodePath(target.replace(/^\//, ''))
    return `/@${name === 'link' ? 'site' : 'wiki'}/${path}${fragment === undefined ? '' : `#${fragment}`}`
  }
  return shownFile(name, named, name.startsWith('include') ? words.slice(1) : words)
}

/** `'/logo' | relative_url`, and other filters that make an address. */
const LITERAL = /^(["'])([^"']*)\1(?:\s*\|\s*(?:relative_url|absolute_url|url|locale_url|prepend:\s*site\.\w+))+$/

const ADDRESSES = ['src', 'url', 'href', 'link', 'path', 'image', 'img', 'image_path', 'file', 'video']
const TEXTS = ['caption', 'text', 'label', 'title', 'description', 'content', 'name']
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i
const ADDRESS =
  /^https?:\/\/\S+$|^[^<>\n]*[\w)]\.(?:html?|md|pdf|zip|mp4|webm|mov|mp3|png|jpe?g|gif|svg|webp|avif)$|^\.{0,2}\/\S+$/i
const PLAYERS = new Map([
  ['youtube', 'https://www.youtube.com/watch?v='],
  ['vimeo', 'https://vimeo.com/'],
])

/** A picture with its caption, or a link, of a tag with an address. */
function shownFile(name: string, named: ReadonlyMap<string, string>, words: readonly string[]): string | undefined {
  const player = PLAYERS.get(name)
  if (player !== undefined) return `<${player}${words[0] ?? named.get('id') ?? ''}>`
  const given = ADDRESSES.flatMap(each => named.get(each) ?? []).concat(words)
  const address = given.find(each => ADDRESS.test(each))
  if (address === undefined) return undefined
  const others = words.filter(each => each !== address && /\s/.test(each))
  const text = TEXTS.flatMap(each => named.get(each) ?? []).concat(others)[0]
  const target = address.replaceAll(' ', '%20')
  if (PICTURE.test(address)) {
    const alt = named.get('alt') ?? (named.size > 0 ? '' : (text ?? ''))
    return `![${alt}](${target}${text && text !== alt ? ` "${text.replaceAll('"', '\\"')}"` : ''})`
  }
  const label =
    text ?? named.get('alt') ?? (/^https?:|\.\w+$/.test(address) ? address.replace(/^(?!http).*\//, '') : '')
  return label === '' ? undefined : `[${label}](${target})`
}
