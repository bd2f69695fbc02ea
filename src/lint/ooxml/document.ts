import { formatHex } from 'culori'
import type { Use } from '../use.ts'
import { colorUses, pictureUses, runUses, shapeUses, wordsUses } from './drawing.ts'
import { type OfficePackage, partOfType } from './package.ts'
import { type OfficeColor, officeColor, parseHex, readTheme, type Theme } from './theme.ts'
import { below, child, descendants, type XmlNode } from './xml.ts'

/** Reads the body of a Word document, then its headers, footers and notes (ISO 29500-1 §17). */
export async function* readDocument(office: OfficePackage, main: string): AsyncGenerator<Use> {
  const relations = await office.relations(main)
  const theme = await readTheme(office, partOfType(relations, 'theme'))
  const styles = await readStyles(office, partOfType(relations, 'styles'), theme)
  const others = [...relations.values()].filter(({ type }) => /^(header|footer|footnotes|endnotes)$/.test(type))
  for (const part of new Set([main, ...others.map(each => each.part)])) {
    const pictures = part === main ? relations : await office.relations(part)
    const grounds = new WeakMap<XmlNode, OfficeColor | undefined>()
    for await (const { node, path } of office.trees(part, 'tblBorders', 'tcPr', 'p', 'del', 'moveFrom')) {
      const cell = path.findLast(({ name }) => name === 'tc')
      if (node.name === 'tcPr' && cell) {
        const ground = shade([node], theme)
        grounds.set(cell, ground)
        yield* colorUses(ground, 'ground')
        yield* borderUses(below([node], 'tcBorders'), theme)
      } else if (node.name === 'tblBorders') yield* borderUses([node], theme)
      else if (node.name === 'p') {
        yield* paragraphUses(node, styles, cell && grounds.get(cell))
        yield* pictureUses(node, office, pictures)
      }
    }
    for (const message of office.problems.splice(0)) yield { kind: 'unreadable', message }
  }
}

/** Styles by id, the id of the one of plain paragraphs, and the properties of all text. */
type Styles = { theme: Theme; byId: Map<string, XmlNode>; normal: string; defaults: XmlNode[] }

async function readStyles(office: OfficePackage, part: string | undefined, theme: Theme): Promise<Styles> {
  const styles: Styles = { theme, byId: new Map(), normal: '', defaults: [] }
  let kept = 0
  for await (const { node } of office.trees(part, 'docDefaults', 'style')) {
    const { ':styleId': id = '', ':type': type, ':default': isDefault = '' } = node.attributes
    kept += [...descendants(node)].length
    if (kept > MAX_KEPT) break
    if (node.name === 'docDefaults') styles.defaults.push(...below([node], 'rPrDefault', 'rPr'))
    else styles.byId.set(id, node)
    if (type === 'paragraph' && /^(1|true|on)$/.test(isDefault)) styles.normal = id
  }
  return styles
}

/** The elements of styles that stay in memory, and the most styles that one is based on. */
const MAX_KEPT = 50_000
const MAX_CHAIN = 20

/** A paragraph, and those in its text boxes. */
function* paragraphUses(paragraph: XmlNode, styles: Styles, cell: OfficeColor | undefined): Generator<Use> {
  for (const node of descendants(paragraph, isText)) {
    const { title, descr } = node.name === 'docPr' ? node.attributes : {}
    for (const text of [title, descr]) yield* wordsUses(text)
    if (node.name === 'spPr') yield* shapeUses([node], styles.theme)
    if (node.name === 'p') yield* ownUses(node, styles, node === paragraph ? cell : undefined)
  }
}

function isText({ name }: XmlNode): boolean {
  return name !== 'del' && name !== 'moveFrom'
}

function* ownUses(paragraph: XmlNode, styles: Styles, cell: OfficeColor | undefined): Generator<Use> {
  const chain = styleChain(child(paragraph, 'pPr', 'pStyle')?.attributes[':val'] ?? styles.normal, styles)
  const own = shade(below([paragraph, ...chain], 'pPr'), styles.theme)
  yield* colorUses(own, 'ground')
  yield* borderUses(below([paragraph, ...chain], 'pPr', 'pBdr'), styles.theme)
  let text = ''
  for (const run of descendants(paragraph, each => isText(each) && each.name !== 'p')) {
    if (run.name !== 'r') continue
    const named = styleChain(child(run, 'rPr', 'rStyle')?.attributes[':val'] ?? '', styles)
    const properties = [...below([run, ...named, ...chain], 'rPr'), ...styles.defaults]
    if (isOn(properties, 'vanish')) continue
    const piece = run.children.map(each => (each.name === 't' ? each.text : (BREAKS.get(each.name) ?? ''))).join('')
    text += piece
    if (piece.trim() !== '') yield* writtenUses(properties, styles.theme, own ?? cell)
  }
  yield* wordsUses(text)
}

const BREAKS = new Map([
  ['tab', '\t'],
  ['br', '\n'],
  ['cr', '\n'],
  ['noBreakHyphen', '\u2011'],
])

/** A style and those that it is based on, nearest first. */
function styleChain(id: string, { byId }: Styles): XmlNode[] {
  const chain: XmlNode[] = []
  for (let style = byId.get(id); style && chain.length < MAX_CHAIN; ) {
    chain.push(style)
    style = byId.get(child(style, 'basedOn')?.attributes[':val'] ?? '')
  }
  return chain
}

/** A property that is there is on, unless its value says otherwise (§17.17.4). */
function isOn(properties: readonly XmlNode[], name: string): boolean {
  const property = below(properties, name)[0]
  return property !== undefined && !/^(0|false|off)$/.test(property.attributes[':val'] ?? '')
}

function* writtenUses(properties: readonly XmlNode[], theme: Theme, behind: OfficeColor | undefined): Generator<Use> {
  const first = (name: string) => below(properties, name)[0]?.attributes
  const [isBold, own] = [isOn(properties, 'b'), shade(properties, theme)]
  const fonts = below(properties, 'rFonts').map(({ attributes }) => attributes)
  const { ':ascii': face, ':asciiTheme': themed } = fonts.find(each => each[':ascii'] || each[':asciiTheme']) ?? {}
  const family = themed ? theme.fonts.get(themed.startsWith('major') ? '+mj-lt' : '+mn-lt') : face
  const size = Number(first('sz')?.[':val']) / 1.5
  yield* colorUses(own, 'ground')
  const color = wordColor(first('color'), ':val', ':themeColor', theme)
  yield* runUses({ color, family, size, isBold }, first('highlight') ? undefined : (own ?? behind))
}

function* borderUses(borders: readonly XmlNode[], theme: Theme): Generator<Use> {
  for (const { attributes } of borders[0]?.children ?? [])
    if (!/^(nil|none)$/.test(attributes[':val'] ?? ''))
      yield* colorUses(wordColor(attributes, ':color', ':themeColor', theme), 'border')
}

function shade(properties: readonly XmlNode[], theme: Theme): OfficeColor | undefined {
  const attributes = below(properties, 'shd')[0]?.attributes
  return attributes?.[':val'] === 'clear' ? wordColor(attributes, ':fill', ':themeFill', theme) : undefined
}

/**
 * A colour of Word; `auto` is none. The value next to a tint or shade of a theme colour is what Word painted when it
 * saved the file.
 */
function wordColor(
  attributes: XmlNode['attributes'] = {},
  value = '',
  named = '',
  theme: Theme,
): OfficeColor | undefined {
  const name = attributes[named] && themeName(attributes[named])
  const isChanged = Object.keys(attributes).some(each => /(Tint|Shade)$/.test(each))
  const themed = name && !isChanged ? theme.colors.get(name) : undefined
  return officeColor(themed ?? formatHex(parseHex(attributes[value])), 1, name)
}

/** The name in the theme for one of Word, such as `background1` (§17.18.97). */
function themeName(name: string): string {
  const [, family = '', digit] = /^(text|dark|background|light)([12])$/.exec(name) ?? []
  if (digit) return `${family === 'text' || family === 'dark' ? 'dk' : 'lt'}${digit}`
  return name.replace(/^hyperlink$/, 'hlink').replace(/^followedHyperlink$/, 'folHlink')
}
