import type { Place, Use } from '../use.ts'
import { pictureUses, plainFill, shapeUses, textUses, wordsUses } from './drawing.ts'
import { type OfficePackage, partOfType, type Relations } from './package.ts'
import { readTheme, type Theme } from './theme.ts'
import { below, child, descendants, EMPTY, type XmlNode } from './xml.ts'

/** Reads the slides of a presentation in their order, also hidden ones (ISO 29500-1 §19.3). */
export async function* readSlides(office: OfficePackage, main: string): AsyncGenerator<Use> {
  const [slides, defaults, layouts]: [string[], XmlNode[], Map<string, Layout>] = [[], [], new Map()]
  const parts = await office.relations(main)
  for await (const { node } of office.trees(main, 'sldId', 'defaultTextStyle')) {
    if (node.name === 'defaultTextStyle') defaults.push(node)
    else slides.push(parts.get(node.attributes[':id'] ?? '')?.part ?? `slide ${slides.length + 1}`)
  }
  for (const [index, part] of slides.entries()) {
    const place = { slide: index + 1 }
    if (office.isSpent()) {
      const message = `is too large or too damaged: slides ${index + 1} to ${slides.length} are not read; divide the file`
      return yield { ...place, kind: 'unreadable', message }
    }
    const relations = await office.relations(part)
    const name = partOfType(relations, 'slideLayout') ?? ''
    const layout = layouts.get(name) ?? (await readLayout(office, name, defaults))
    if (layouts.size > MAX_LAYOUTS) layouts.clear()
    layouts.set(name, layout)
    const theme = await withMap(office, part, layout.theme)
    yield* slideUses(office, part, relations, { ...layout, theme }, place)
    for (const message of office.problems.splice(0)) yield { ...place, kind: 'unreadable', message }
  }
}

const MAX_LAYOUTS = 100

/** What slides inherit: the placeholders of a layout and its master, text styles of the master, and of the deck. */
type Layout = { theme: Theme; own: XmlNode[]; master: XmlNode[]; styles: XmlNode[]; defaults: readonly XmlNode[] }

async function readLayout(office: OfficePackage, part: string, defaults: readonly XmlNode[]): Promise<Layout> {
  const master = partOfType(await office.relations(part), 'slideMaster')
  const theme = master && partOfType(await office.relations(master), 'theme')
  const layout: Layout = { theme: await readTheme(office, theme), own: [], master: [], styles: [], defaults }
  let kept = 0
  for (const each of [master, part || undefined]) {
    layout.theme = await withMap(office, each, layout.theme)
    for await (const { node } of office.trees(each, 'sp', 'txStyles')) {
      kept += [...descendants(node)].length
      if (kept > MAX_KEPT) break
      if (node.name === 'txStyles') layout.styles.push(node)
      else if (placeholderOf(node)) (each === master ? layout.master : layout.own).push(node)
    }
  }
  return layout
}

/** The elements of a layout and its master that stay in memory. */
const MAX_KEPT = 20_000

async function withMap(office: OfficePackage, part: string | undefined, theme: Theme): Promise<Theme> {
  const map = new Map(theme.map)
  for await (const { node } of office.trees(part, 'clrMap', 'overrideClrMapping'))
    for (const [name, value] of Object.entries(node.attributes)) map.set(name, value)
  return { ...theme, map }
}

async function* slideUses(
  office: OfficePackage,
  part: string,
  slide: Relations,
  layout: Layout,
  place: Place,
): AsyncGenerator<Use> {
  const drawings = [...slide.values()].filter(({ type }) => type === 'diagramDrawing')
  for (const each of [part, ...drawings.map(drawing => drawing.part)]) {
    const relations = each === part ? slide : await office.relations(each)
    for await (const { node } of office.trees(each, 'bg', 'sp', 'pic', 'cxnSp', 'graphicFrame')) {
      const { name, hidden = '' } = child(node.children[0], 'cNvPr')?.attributes ?? {}
      const at = { ...place, ...(name && { shape: name }) }
      if (/^(1|true)$/.test(hidden)) continue
      for (const use of shownUses(node, layout))
        yield use.kind === 'words' ? { ...at, ...use, at: () => at } : { ...at, ...use }
      for await (const use of pictureUses(node, office, relations)) yield { ...at, ...use }
    }
  }
}

function* shownUses(node: XmlNode, layout: Layout): Generator<Use> {
  const { title, descr } = child(node.children[0], 'cNvPr')?.attributes ?? {}
  for (const text of [title, descr]) yield* wordsUses(text)
  const { theme } = layout
  const shapes = [node, ...inheritedShapes(node, layout)]
  const own = [...below([node], 'bgPr'), ...below(shapes, 'spPr'), ...styleProperties(node, theme)]
  yield* shapeUses(own, theme)
  const sources = [...below(shapes, 'txBody', 'lstStyle'), fontProperties(node), ...textStyles(node, layout)]
  yield* textUses(child(node, 'txBody'), sources, theme, plainFill(own, theme))
  for (const cell of node.name === 'graphicFrame' ? descendants(node) : []) {
    const properties = cell.name === 'tc' ? below([cell], 'tcPr') : []
    yield* shapeUses(properties, theme)
    // The style of a table, which is not read, may give its text another colour, but hardly another font.
    if (cell.name === 'tc') yield* textUses(child(cell, 'txBody'), [MINOR_FONT], theme, plainFill(properties, theme))
  }
}

/** The type and number of a placeholder; undefined for other shapes. */
function placeholderOf(node: XmlNode): { kind: string; idx: string | undefined } | undefined {
  const { type = 'body', idx } = below(node.children, 'nvPr', 'ph')[0]?.attributes ?? { type: '' }
  if (type === '') return undefined
  const kind = /^(?:title|ctrTitle)$/.test(type) ? 'title' : /^(?:dt|ftr|sldNum|hdr)$/.test(type) ? type : 'body'
  return { kind, idx }
}

/** The placeholders that a placeholder continues: by its number in the layout, by its kind in the master. */
function inheritedShapes(node: XmlNode, { own, master }: Layout): XmlNode[] {
  const place = placeholderOf(node)
  if (!place) return []
  const isSame = (other: ReturnType<typeof placeholderOf>) =>
    place.idx === undefined ? other?.kind === place.kind : other?.idx === place.idx
  const inLayout = own.find(each => isSame(placeholderOf(each)))
  const kind = (inLayout && placeholderOf(inLayout)?.kind) ?? place.kind
  const inMaster = master.find(each => placeholderOf(each)?.kind === kind)
  return [inLayout, inMaster].filter(each => each !== undefined)
}

/** The text styles of a placeholder in its master, or of the deck for other shapes. */
function textStyles(node: XmlNode, { styles, defaults }: Layout): readonly XmlNode[] {
  const kind = placeholderOf(node)?.kind
  if (kind === undefined) return [...defaults, MINOR_FONT]
  return [
    ...below(styles, kind === 'title' || kind === 'body' ? `${kind}Style` : 'otherStyle'),
    ...defaults,
    MINOR_FONT,
  ]
}

/** The fill and line of a shape's style, if those of the theme paint its colour as it is (§19.3.1.46). */
function styleProperties(node: XmlNode, { plainStyles }: Theme): XmlNode[] {
  const fills = (name: string, list: string) =>
    below([node], 'style', name)
      .filter(({ attributes }) => plainStyles.has(`${list}${attributes.idx}`))
      .map(each => ({ ...each, name: 'solidFill' }))
  const line = { ...EMPTY, name: 'ln', children: fills('lnRef', 'lnStyleLst') }
  return [{ ...EMPTY, children: [...fills('fillRef', 'fillStyleLst'), line] }]
}

/** The colour and font of a shape's style, as properties of a run. */
function fontProperties(node: XmlNode): XmlNode {
  const font = child(node, 'style', 'fontRef')
  if (!font) return { ...EMPTY, name: 'rPr' }
  return { ...EMPTY, name: 'rPr', children: [{ ...font, name: 'solidFill' }, themeFont(font.attributes.idx)] }
}

function themeFont(idx: string | undefined): XmlNode {
  return { ...EMPTY, name: 'latin', attributes: { typeface: idx === 'major' ? '+mj-lt' : '+mn-lt' } }
}

const MINOR_FONT: XmlNode = { ...EMPTY, name: 'rPr', children: [themeFont('minor')] }
