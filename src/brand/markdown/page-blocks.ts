import { type Leaf, readLeaves } from './blocks.ts'
import { type Inline, readInlines } from './inline.ts'
import { type Definition, normalizeLabel, readDefinitions, type Span } from './link-syntax.ts'
import { plainText } from './plain-text.ts'
import { isTagsAndPictures, mayHaveTags, templateTags } from './template-tags.ts'
import { visibleText } from './visible-text.ts'

/** A leaf block with its link definitions, and the inlines in its text, which starts at `textStart`. */
export type Block = Leaf & { textStart: number; definitions: Definition[]; inlines: Inline[] }

/** Reads the blocks of a page and their inlines. Import and search read pages with it. */
export function readBlocks(text: string): Block[] {
  const labels = { links: new Set<string>(), footnotes: new Set<string>() }
  const blocks = readLeaves(text).map(leaf => {
    const mayDefine = leaf.kind === 'paragraph' || leaf.kind === 'setext-heading'
    const { definitions, end } = mayDefine ? readDefinitions(leaf.text) : { definitions: [], end: 0 }
    for (const { label } of definitions) labels.links.add(label)
    if (leaf.kind === 'footnote-label') labels.footnotes.add(normalizeLabel(leaf.text.slice(1, -1)))
    // A paragraph of only definitions is not a heading, although lezer reads one.
    const isHeading = leaf.level > 0 && (definitions.length === 0 || leaf.text.slice(end).trim() !== '')
    const read = isHeading ? leaf : { ...leaf, level: 0 }
    return { ...read, textStart: end, definitions }
  })
  return blocks.map(block => {
    const inlines = hasInlines(block) ? readInlines(block.text, block.textStart, labels) : []
    return { ...block, inlines }
  })
}

/** Code has no inlines, except indented blocks that contain only pictures and tags of other systems. */
function hasInlines({ kind, text }: Leaf): boolean {
  return kind === 'indented-code' ? isTagsAndPictures(text) : !WITHOUT_INLINES.has(kind)
}

const WITHOUT_INLINES: ReadonlySet<Leaf['kind']> = new Set(['html', 'footnote-label', 'fenced-code', 'open-fence'])

/**
 * The text of a block as a page shows it, without markup and tags of other systems.
 *
 * @param replace gives the text that replaces an inline, such as a picture in a heading; undefined: its own text
 */
export function shownText(block: Block, replace?: (inline: Inline) => string | undefined): string {
  const { text, textStart, inlines } = block
  return plainText(text, { start: textStart, end: text.length }, inlines, { hidden: tagsOf(block), replace })
}

/** Replaces a picture with nothing: names and ids of headings have no alt texts. */
export function withoutPicture({ kind }: Inline): string | undefined {
  return kind === 'picture' ? '' : undefined
}

function tagsOf(block: Block): Span[] {
  return mayHaveTags(block.text) ? templateTags(visibleText(block)) : []
}
