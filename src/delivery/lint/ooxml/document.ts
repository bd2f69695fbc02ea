import { below, child, descendants, type XmlNode } from '#formats/xml/trees.ts'
import type { Use } from '../use.ts'
import { colorUses, pictureUses, runUses, runWords, shapeUses, wordsUses } from './drawing.ts'
import { type OfficePackage, partsOf } from './package.ts'
import { type OfficeColor, officeColor, parseHex, readTheme, shadeOf, type Theme } from './theme.ts'

/** Reads the body of a Word document, then its headers, footers and notes (ISO 29500-1 §17). */
export function* readDocument(office: OfficePackage, main: string): Generator<Use> {
  const relations = office.relations(main)
  const theme = readTheme(office, partsOf(relations, 'theme')[0])
  const styles = readStyles(office, partsOf(relations, 'styles')[0], theme)
  for (const part of new Set([main, ...partsOf(relations, 'header', 'footer', 'footnotes', 'endnotes')])) {
    const pictures = office.relations(part)
    const grounds = new WeakMap<XmlNode, OfficeColor | undefined>()
    for (const { node, path } of office.trees(part, 'tblBorders', 'tcPr', 'p', 'del', 'moveFrom')) {
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
  }
}

/** Styles by id, the id of the one of plain paragraphs, and the properties of all text. */
type Styles = { theme: Theme; byId: Map<string, XmlNode>; normal: string; defaults: XmlNode[] }

function readStyles(office: OfficePackage, part: string | undefined, theme: Theme): Styles {
  const styles: Styles = { theme, byId: new Map(), normal: '', defaults: [] }
  let kept = 0
  for (const { node } of office.trees(part, 'docDefaults', 'style')) {
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
    if (node.name === 'docPr') yield* wordsUses(node.attributes.title, node.attributes.descr)
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
  const [style] = below(chain, 'name').map(({ attributes }) => attributes[':val'] ?? '')
  const texts = []
  for (const run of descendants(paragraph, each => isText(each) && each.name !== 'p')) {
    if (run.name !== 'r') continue
    const named = styleChain(child(run, 'rPr', 'rStyle')?.attributes[':val'] ?? '', styles)
    const properties = [...below([run, ...named, ...chain], 'rPr'), ...styles.defaults]
    if (isOn(properties, 'vanish')) continue
    const piece = run.children.map(paintedText).join('')
    const key = BIDI.test(piece) ? ':bidi' : EAST_ASIAN.test(piece) ? ':eastAsia' : ':val'
    const languages = below(properties, 'lang').flatMap(({ attributes }) => attributes[key] || [])
    texts.push({ text: piece, lang: languages[0] })
    if (piece.trim() === '') continue
    for (const use of writtenUses(piece, properties, styles.theme, own ?? cell))
      yield use.kind === 'color' && use.shade && style ? { ...use, shade: { ...use.shade, style } } : use
  }
  yield* runWords(texts)
}

/** Word keeps the language of a text three times, by script (§17.3.2.20). */
const BIDI = /[\p{sc=Arab}\p{sc=Hebr}]/u
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u

function paintedText({ name, text }: XmlNode): string {
  return name === 'noBreakHyphen' ? '-' : /^(tab|br|cr)$/.test(name) ? '\n' : text
}

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

function* writtenUses(
  text: string,
  properties: readonly XmlNode[],
  theme: Theme,
  behind?: OfficeColor,
): Generator<Use> {
  const first = (name: string) => below(properties, name)[0]?.attributes
  const [isBold, own] = [isOn(properties, 'b'), shade(properties, theme)]
  const fonts = below(properties, 'rFonts').map(({ attributes }) => attributes)
  const { ':ascii': face, ':asciiTheme': themed } = fonts.find(each => each[':ascii'] || each[':asciiTheme']) ?? {}
  const family = themed ? theme.fonts.get(themed.startsWith('major') ? '+mj-lt' : '+mn-lt') : face
  const size = Number(first('sz')?.[':val']) / 1.5
  yield* colorUses(own, 'ground')
  const color = wordColor(first('color'), ':val', theme)
  yield* runUses({ text, color, family, size, isBold }, first('highlight') ? undefined : (own ?? behind))
}

function* borderUses(borders: readonly XmlNode[], theme: Theme): Generator<Use> {
  for (const { attributes } of borders[0]?.children ?? [])
    if (!/^(nil|none)$/.test(attributes[':val'] ?? ''))
      yield* colorUses(wordColor(attributes, ':color', theme), 'border')
}

function shade(properties: readonly XmlNode[], theme: Theme): OfficeColor | undefined {
  const attributes = below(properties, 'shd')[0]?.attributes
  return attributes?.[':val'] === 'clear' ? wordColor(attributes, ':fill', theme) : undefined
}

/** A colour of Word; `auto` is none. Next to a tint or shade of the theme, Word saves the colour that it painted. */
function wordColor(attributes: XmlNode['attributes'] = {}, value: ':color' | ':fill' | ':val', theme: Theme) {
  const name = attributes[value === ':fill' ? ':themeFill' : ':themeColor']
    ?.replace(/^(text|dark)(?=[12]$)/, 'dk')
    .replace(/^(background|light)(?=[12]$)/, 'lt')
    .replace('hyperlink', 'hlink')
  const [change, kept] = Object.entries(attributes).find(([key]) => /(Tint|Shade)$/.test(key)) ?? []
  const themed = theme.colors.get(name ?? '')
  if (change === undefined) return officeColor(themed ?? parseHex(attributes[value]), 1, name)
  const share = 1 - Number.parseInt(kept ?? '', 16) / 255
  const shade = shadeOf(themed, change.endsWith('Tint') ? 'lighter' : 'darker', share)
  return officeColor(parseHex(attributes[value]), 1, name, shade)
}
