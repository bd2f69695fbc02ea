import { below, child, descendants, EMPTY, type XmlNode } from '#formats/xml/trees.ts'
import { wordSet, wordTable } from '#platform/base/text.ts'
import type { Use } from '../use.ts'
import { colorUses, firstOf, pictureUses, runUses, runWords, shapeUses, wordsUses } from './drawing.ts'
import { type OfficePackage, partsOf } from './package.ts'
import { attributesOf, type OfficeColor, officeColor, parseHex, readTheme, shadeOf, type Theme } from './theme.ts'

/**
 * Reads the body of a Word document, then its headers, footers and notes (ISO 29500-1 §17). `main` is the name of the part
 * with the body, `word/document.xml`.
 */
export function* readDocument(office: OfficePackage, main: string): Generator<Use> {
  const relations = office.relations(main)
  const theme = readTheme(office, partsOf(relations, 'theme')[0])
  const styles = readStyles(office, partsOf(relations, 'styles')[0], theme)
  for (const part of new Set([main, ...partsOf(relations, 'header', 'footer', 'footnotes', 'endnotes')])) {
    const pictures = office.relations(part)
    // The ground of each table cell (`tc`). Its properties (`tcPr`) come before its paragraphs (`p`).
    const grounds = new WeakMap<XmlNode, OfficeColor | undefined>()
    // Deleted text (`del`, `moveFrom`) is asked for so that its paragraphs are a part of it, and are not read.
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
  let keptElements = 0
  for (const { node } of office.trees(part, 'docDefaults', 'style')) {
    const { ':styleId': id = '', ':type': type, ':default': isDefault = '' } = node.attributes
    keptElements += [...descendants(node)].length
    if (keptElements > MAX_KEPT) break
    if (node.name === 'docDefaults') styles.defaults.push(...below([node], 'rPrDefault', 'rPr'))
    else styles.byId.set(id, node)
    if (type === 'paragraph' && ON.has(isDefault)) styles.normal = id
  }
  return styles
}

const ON = wordSet('1 true on')
const OFF = wordSet('0 false off')

/** The elements of styles that stay in memory, and the most styles that one is based on. */
const MAX_KEPT = 50_000
const MAX_CHAIN = 20

/** A paragraph, and those in its text boxes. `cell` is the ground of the table cell around it. */
function* paragraphUses(paragraph: XmlNode, styles: Styles, cell: OfficeColor | undefined): Generator<Use> {
  for (const node of descendants(paragraph, isText)) {
    if (node.name === 'docPr') yield* wordsUses(node.attributes.title, node.attributes.descr)
    if (node.name === 'spPr') yield* shapeUses([node], styles.theme)
    if (node.name === 'p') yield* ownUses(node, styles, node === paragraph ? cell : undefined)
  }
}

function isText({ name }: XmlNode): boolean {
  return !DELETED.has(name)
}

const DELETED = wordSet('del moveFrom')

/** The uses of one paragraph: its ground and borders, then those of its runs (`r`), and their words. */
function* ownUses(paragraph: XmlNode, styles: Styles, cell: OfficeColor | undefined): Generator<Use> {
  const chain = styleChain(valueAt(paragraph, 'pPr', 'pStyle') ?? styles.normal, styles)
  const ownGround = shade(below([paragraph, ...chain], 'pPr'), styles.theme)
  yield* colorUses(ownGround, 'ground')
  yield* borderUses(below([paragraph, ...chain], 'pPr', 'pBdr'), styles.theme)
  const { ':val': style = '' } = attributesOf(below(chain, 'name'))
  const texts = []
  for (const run of descendants(paragraph, each => isText(each) && each.name !== 'p')) {
    if (run.name !== 'r') continue
    const runStyles = styleChain(valueAt(run, 'rPr', 'rStyle'), styles)
    // From the nearest: the run's own, those of its style, of the paragraph's style, and of all text.
    const properties = [...below([run, ...runStyles, ...chain], 'rPr'), ...styles.defaults]
    // Hidden text.
    if (isOn(properties, 'vanish')) continue
    const piece = run.children.map(paintedText).join('')
    const key = BIDI.test(piece) ? ':bidi' : EAST_ASIAN.test(piece) ? ':eastAsia' : ':val'
    texts.push({ text: piece, lang: firstOf(below(properties, 'lang'), key) })
    if (piece.trim() === '') continue
    // A changed colour of the theme names the style of the paragraph, where an author may look for it.
    for (const use of writtenUses(piece, properties, styles.theme, ownGround ?? cell))
      yield use.kind === 'color' && use.shade && style ? { ...use, shade: { ...use.shade, style } } : use
  }
  yield* runWords(texts)
}

/** Word keeps the language of a text three times, by script (§17.3.2.20). */
const BIDI = /[\p{sc=Arab}\p{sc=Hebr}]/u
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u

/** The text that an element of a run shows: its own, or that of a mark such as a tab. */
function paintedText({ name, text }: XmlNode): string {
  return PAINTED.get(name) ?? text
}

const PAINTED: ReadonlyMap<string, string> = new Map([
  ['noBreakHyphen', '-'],
  ['tab', '\n'],
  ['br', '\n'],
  ['cr', '\n'],
])

/** The `w:val` of the element at a path of names; undefined if there is none. */
function valueAt(node: XmlNode, ...names: readonly string[]): string | undefined {
  return child(node, ...names)?.attributes[':val']
}

/** A style and those that it is based on, nearest first. */
function styleChain(id = '', { byId }: Styles): XmlNode[] {
  const chain: XmlNode[] = []
  for (let style = byId.get(id); style && chain.length < MAX_CHAIN; ) {
    chain.push(style)
    style = byId.get(valueAt(style, 'basedOn') ?? '')
  }
  return chain
}

/** A property that is there is on, unless its value says otherwise (§17.17.4). */
function isOn(properties: readonly XmlNode[], name: string): boolean {
  const [property] = below(properties, name)
  return property !== undefined && !OFF.has(property.attributes[':val'] ?? '')
}

/** The uses of one run, from its properties, nearest first. `behind` is the ground of the paragraph or cell. */
function* writtenUses(
  text: string,
  properties: readonly XmlNode[],
  theme: Theme,
  behind?: OfficeColor,
): Generator<Use> {
  const nearest = (name: string) => below(properties, name)[0] ?? EMPTY
  const isBold = isOn(properties, 'b')
  const ownGround = shade(properties, theme)
  const fonts = below(properties, 'rFonts').map(({ attributes }) => attributes)
  // `asciiTheme` is `majorHAnsi` or `minorHAnsi`, a font of the theme.
  const { ':ascii': face, ':asciiTheme': themeFont } = fonts.find(each => each[':ascii'] || each[':asciiTheme']) ?? {}
  const family = themeFont ? theme.fonts.get(themeFont.startsWith('major') ? '+mj-lt' : '+mn-lt') : face
  // Word has half points; a point is 4/3 px.
  const size = Number(nearest('sz').attributes[':val']) / 1.5
  yield* colorUses(ownGround, 'ground')
  const color = wordColor(nearest('color').attributes, ':val', theme)
  // A highlighter has its own colours, so that the ground is not known.
  const ground = nearest('highlight') === EMPTY ? (ownGround ?? behind) : undefined
  yield* runUses({ text, color, family, size, isBold }, ground)
}

function* borderUses([borders = EMPTY]: readonly XmlNode[], theme: Theme): Generator<Use> {
  for (const { attributes } of borders.children)
    if (!NO_BORDERS.has(attributes[':val'] ?? '')) yield* colorUses(wordColor(attributes, ':color', theme), 'border')
}

const NO_BORDERS = wordSet('nil none')

/** The ground that properties give (`shd`); undefined if they give none, or a pattern. */
function shade(properties: readonly XmlNode[], theme: Theme): OfficeColor | undefined {
  const attributes = attributesOf(below(properties, 'shd'))
  return attributes[':val'] === 'clear' ? wordColor(attributes, ':fill', theme) : undefined
}

/** A colour of Word; `auto` is none. Next to a tint or shade of the theme, Word saves the colour that it painted. */
function wordColor(attributes: XmlNode['attributes'], value: ':color' | ':fill' | ':val', theme: Theme) {
  const written = attributes[value === ':fill' ? ':themeFill' : ':themeColor'] ?? ''
  const name = THEME_NAMES.get(written) ?? written
  // `:themeTint` or `:themeShade`, whose two hexadecimal digits are the part of the colour that is kept.
  const [change = '', keptPart = ''] = Object.entries(attributes).find(([key]) => /(Tint|Shade)$/.test(key)) ?? []
  const themeColor = theme.colors.get(name)
  if (change === '') return officeColor(themeColor ?? parseHex(attributes[value]), 1, name)
  const share = 1 - Number.parseInt(keptPart, 16) / 255
  const shade = shadeOf(themeColor, change.endsWith('Tint') ? 'lighter' : 'darker', share)
  return officeColor(parseHex(attributes[value]), 1, name, shade)
}

/** The names of the theme for those that Word has (§17.18.97). */
const THEME_NAMES = wordTable([
  ['dk1', 'text1 dark1'],
  ['dk2', 'text2 dark2'],
  ['lt1', 'background1 light1'],
  ['lt2', 'background2 light2'],
  ['hlink', 'hyperlink'],
])
