import { below, descendants, EMPTY, type XmlNode } from '#formats/xml/trees.ts'
import { wordSet, wordTable } from '#platform/base/text.ts'
import type { Place, Use } from '../use.ts'
import { readDocument } from './document.ts'
import { fillOf, pictureUses, plainFill, shapeUses, TRUE, textUses, wordsUses } from './drawing.ts'
import { type OfficePackage, openPackage, partsOf } from './package.ts'
import { attributesOf, NO_THEME, readTheme, type Theme } from './theme.ts'

/** Reads the slides of a presentation or the text of a Word document (ECMA-376, ISO 29500). */
export async function readOffice(bytes: Uint8Array): Promise<Iterable<Use>> {
  const office = await openPackage(bytes)
  return 'problem' in office ? [{ kind: 'unreadable', message: office.problem }] : readPackage(office)
}

function* readPackage(office: OfficePackage): Generator<Use> {
  const [main] = partsOf(office.relations(''), 'officeDocument')
  const root = main === undefined ? undefined : office.rootOf(main)
  const read = READERS.get(root ?? '')
  if (main !== undefined && read) yield* read(office, main)
  else if (office.problems.length === 0) office.problems.push(UNKNOWN)
  for (const message of office.problems) yield { kind: 'unreadable', message }
}

const READERS: ReadonlyMap<string, (office: OfficePackage, main: string) => Iterable<Use>> = new Map([
  ['presentation', readSlides],
  ['document', readDocument],
])

const UNKNOWN = 'is not a presentation or text document: open it in its program and save it as .pptx or .docx'

/** The slides in order, also hidden ones (ISO 29500-1 §19.3); after a slide, the pictures of its layout and master. */
function* readSlides(office: OfficePackage, main: string): Generator<Use> {
  const relations = office.relations(main)
  // The sheet of the deck itself, `''`, is above all masters.
  const sheets = new Map([['', readSheet(office, main)]])
  const slides: string[] = []
  const readParts = new Set([main])
  // A slide without a part keeps its number; reading it gives a problem.
  for (const { node } of office.trees(main, 'sldId'))
    slides.push(relations.get(node.attributes[':id'] ?? '')?.part ?? `slide ${slides.length + 1}`)
  for (const [index, part] of slides.entries()) {
    const place = { slide: index + 1 }
    if (office.isSpent()) {
      const message = `is too large or too damaged: slides ${index + 1} to ${slides.length} are not read; divide the file`
      return yield { ...place, kind: 'unreadable', message }
    }
    const layout = sheetAbove(office, part, sheets, ['slideLayout', 'slideMaster'])
    const { theme, parts } = readSheet(office, part, layout, ['overrideClrMapping'])
    // SmartArt has its drawing in another part.
    for (const each of [part, ...partsOf(office.relations(part), 'diagramDrawing')])
      yield* partUses(office, each, place, { ...layout, theme })
    readParts.add(part)
    // The layout and the master, unless an earlier slide has shown them.
    for (const each of new Set(parts).difference(readParts)) {
      readParts.add(each)
      yield* partUses(office, each, place)
    }
    for (const message of office.problems.splice(0)) yield { ...place, kind: 'unreadable', message }
  }
}

/** What slides inherit from their layout, its master and the deck. */
type Sheet = {
  theme: Theme
  /**
   * Elements by key: of the layout, its master and the deck, nearest first. Text styles have the names of their elements
   * (`titleStyle`), placeholders their kind (`body`), and their number if they have one (`#13`).
   */
  levels: readonly ReadonlyMap<string, XmlNode>[]
  /** The names of the parts whose shapes a slide shows, unless it or its layout hides those above (`showMasterSp`). */
  parts: readonly string[]
}

/**
 * The sheet above a part, which is of the first of these types; those above it are of the next types, and then the deck.
 * Sheets are read once, unless there are too many to keep.
 */
function sheetAbove(office: OfficePackage, part: string, sheets: Map<string, Sheet>, types: string[]): Sheet {
  const [above = ''] = partsOf(office.relations(part), ...types.slice(0, 1))
  const sheet = sheets.get(above) ?? readSheet(office, above, sheetAbove(office, above, sheets, types.slice(1)))
  if (sheets.size < MAX_SHEETS) sheets.set(above, sheet)
  return sheet
}

const MAX_SHEETS = 100
/** The elements of a sheet that stay in memory. */
const MAX_KEPT = 20_000

/** What a deck, master, layout or slide adds to the sheet above it. `wanted` are the names of the elements to keep. */
function readSheet(office: OfficePackage, part: string, above = NO_SHEET, wanted = INHERITED): Sheet {
  const theme = readTheme(office, partsOf(office.relations(part), 'theme', 'themeOverride')[0], above.theme)
  const ownElements = new Map<string, XmlNode>()
  let keptElements = 0
  let hidesAbove = false
  for (const { node, path } of office.trees(part, 'grpSpPr', ...wanted)) {
    // The outermost element, such as `sldLayout`.
    const { showMasterSp = '' } = attributesOf(path)
    hidesAbove ||= FALSE.has(showMasterSp)
    if (node.name === 'grpSpPr') continue
    if (MAPS.has(node.name)) for (const [name, value] of Object.entries(node.attributes)) theme.map.set(name, value)
    const keys = node.name === 'sp' ? placeholderOf(node) : [node.name]
    if (keys.length > 0) keptElements += [...descendants(node)].length
    if (keptElements > MAX_KEPT) break
    // Of several placeholders of a kind, the first counts.
    for (const key of keys) ownElements.set(key, ownElements.get(key) ?? node)
  }
  return { theme, levels: [ownElements, ...above.levels], parts: [part, ...(hidesAbove ? [] : above.parts)] }
}

const NO_SHEET: Sheet = { theme: NO_THEME, levels: [], parts: [] }
const FALSE = wordSet('0 false')
/** Elements that map the names of colours on slides to those of the theme, as in `tx1="dk1"`. */
const MAPS = wordSet('clrMap overrideClrMapping')
const INHERITED = ['sp', 'titleStyle', 'bodyStyle', 'otherStyle', 'defaultTextStyle', 'clrMap', 'overrideClrMapping']

/** The uses of a slide or drawing; of a layout or master, without a sheet, only its pictures. */
function* partUses(office: OfficePackage, part: string, place: Place, sheet?: Sheet): Generator<Use> {
  const relations = office.relations(part)
  const fills = new WeakMap<XmlNode, XmlNode>()
  for (const { node, path } of office.trees(part, 'bg', 'grpSpPr', 'sp', 'pic', 'cxnSp', 'graphicFrame')) {
    const [group = EMPTY, outerGroup = EMPTY] = path.filter(({ name }) => GROUPS.has(name)).toReversed()
    // The properties of a group (`grpSpPr`) come before its shapes, which may refer to its fill.
    if (node.name === 'grpSpPr') fills.set(group, fillOf([node], fills.get(outerGroup)))
    // The first child of a shape has its name and alternative text.
    const { name, hidden, title, descr } = attributesOf(below(node.children.slice(0, 1), 'cNvPr'))
    if (TRUE.has(hidden)) continue
    const ownUses = sheet ? [...wordsUses(title, descr), ...elementUses(node, sheet, fills.get(group))] : []
    for (const use of [...ownUses, ...pictureUses(node, office, relations)])
      yield { ...place, ...(name && { shape: name }), ...use }
  }
}

const GROUPS = wordSet('spTree grpSp')

/** The uses of a shape or background: its fill and lines, then its text; of a table, those of its cells. */
function* elementUses(node: XmlNode, { theme, levels }: Sheet, groupFill: XmlNode | undefined): Generator<Use> {
  const shapes = [node, ...inheritedShapes(node, levels)]
  const style = styleOf(node)
  const shapeProperties = [...below([node], 'bgPr'), ...below(shapes, 'spPr'), style.shape]
  yield* shapeUses(shapeProperties, theme, groupFill)
  // A text style of the master, or else the one of the deck, from each level, nearest first.
  const textStyles = (name: string) => levels.flatMap(level => level.get(name) ?? level.get('defaultTextStyle') ?? [])
  const [kind] = placeholderOf(node)
  const inheritedStyles = textStyles(TEXT_STYLES.get(kind) ?? '')
  const textSources = [...below(shapes, 'txBody', 'lstStyle'), style.text, ...inheritedStyles]
  yield* textUses(node, textSources, theme, plainFill(shapeProperties, theme, groupFill))
  for (const cell of node.name === 'graphicFrame' ? descendants(node) : []) {
    if (cell.name !== 'tc') continue
    const cellProperties = below([cell], 'tcPr')
    yield* shapeUses(cellProperties, theme)
    yield* textUses(cell, [TABLE_STYLE, ...textStyles('otherStyle')], theme, plainFill(cellProperties, theme))
  }
}

/** The text styles of masters, by the kinds of placeholders. */
const TEXT_STYLES: ReadonlyMap<string | undefined, string> = wordTable([
  ['titleStyle', 'title'],
  ['bodyStyle', 'body'],
  ['otherStyle', 'dt ftr sldNum hdr'],
])

/**
 * Properties that stand for the style of a table, which is not read. It may give its text another colour, but hardly another
 * font or size; so they have no fill, and the colour is unknown.
 */
const TABLE_STYLE: XmlNode = { ...EMPTY, name: 'rPr', children: [{ ...EMPTY, name: 'noFill' }] }

/** The kind of a placeholder, and its number, such as `#13`, if it has one; nothing for other shapes. */
function placeholderOf(node: XmlNode): string[] {
  const [place] = below(node.children, 'nvPr', 'ph')
  if (!place) return []
  const { type = 'body', idx } = place.attributes
  return [KINDS.get(type) ?? 'body', ...(idx === undefined ? [] : [`#${idx}`])]
}

/** The kinds of placeholders, by their types. All other types, such as `subTitle`, continue the body of the master. */
const KINDS = wordTable([
  ['title', 'title ctrTitle'],
  ['dt', 'dt'],
  ['ftr', 'ftr'],
  ['sldNum', 'sldNum'],
  ['hdr', 'hdr'],
])

/** The placeholders that one with text continues: by its number in the layout, by its kind in the master. */
function inheritedShapes(node: XmlNode, [layout, master]: Sheet['levels']): XmlNode[] {
  const keys = placeholderOf(node)
  if (![...descendants(node)].some(({ text }) => text.trim() !== '')) return []
  // The last key is the number, or the kind if there is no number.
  const inLayout = layout?.get(keys.at(-1) ?? '')
  const [kind = ''] = inLayout ? placeholderOf(inLayout) : keys
  return [inLayout, master?.get(kind)].filter(each => each !== undefined)
}

/**
 * The elements that the style of a shape gives to it and its text (§19.3.1.46), like the elements of its properties. The style
 * refers to fills and lines of the theme by number: `idx` 0 is none, and only the first fill is surely plain.
 */
function styleOf(node: XmlNode): { shape: XmlNode; text: XmlNode } {
  const styled = (name: string) => below([node], 'style', name).filter(({ children }) => children.length > 0)
  const fills = (nodes: XmlNode[]) => nodes.map(({ children }) => ({ ...EMPTY, name: 'solidFill', children }))
  const ofShape = fills(styled('fillRef').filter(({ attributes }) => attributes.idx === '1'))
  const ofLine = fills(styled('lnRef').filter(({ attributes }) => attributes.idx !== '0'))
  const { idx } = attributesOf(below([node], 'style', 'fontRef'))
  const typeface = FONT_REFERENCES.get(idx) ?? ''
  const latin = { ...EMPTY, name: 'latin', attributes: { typeface } }
  return {
    shape: { ...EMPTY, children: [...ofShape, { ...EMPTY, name: 'ln', children: ofLine }] },
    text: { ...EMPTY, name: 'rPr', children: [...fills(styled('fontRef')), latin] },
  }
}

const FONT_REFERENCES: ReadonlyMap<string | undefined, string> = new Map([
  ['major', '+mj-lt'],
  ['minor', '+mn-lt'],
])
