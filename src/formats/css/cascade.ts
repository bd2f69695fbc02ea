import { lazy } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import { holdsOnScreen } from './conditions.ts'
import { compareLayers, innerLayer, type Layer, rootLayer } from './layers.ts'
import { type CssPart, type CssSyntax, parseCss } from './parse-css.ts'
import { matchRoot, type RootMatch, TIER } from './root-selector.ts'
import { cssCall, cssList, cssWords, plainCss, plainValue, unquote } from './values.ts'

/** A style sheet; `open` gives the one at an address that it imports, undefined if there is none or it is already read. */
export type CssSheet = { text: string; syntax: CssSyntax; open: (address: string) => CssSheet | undefined }

/** A declaration at an offset of a sheet; its value is on one line, without comments and marks such as `!important`. */
export type Declaration = {
  name: string
  value: string
  sheet: CssSheet
  at: number
  block: CssBlock
  strength: Strength
}

/** An open block: the name of its at-rule, which is empty for a rule, and the text before its bracket. */
export type CssBlock = {
  name: string
  prelude: string
  outer?: CssBlock
  /** The texts before the brackets of the blocks around a declaration, without layers: `@media print`, `:root`. */
  heads: readonly string[]
  /** The number of these heads among those of a page, of which there may be many with long texts. */
  context: () => string
  contexts: Map<string, string>
  /** How its selectors match the root, and whether its conditions hold on the usual screen. */
  root: () => RootMatch
  holds: boolean
  isInRule: boolean
  layer: Layer
}

type Strength = { tier: number; isImportant: boolean; layer: Layer; specificity: number; order: number }

type Options = {
  /** Whether the declarations of a property in a block are of interest. */
  wants: (name: string, block: CssBlock) => boolean
  onTooDeep?: (sheet: CssSheet) => void
}

/** The options, and how many sheets may still be imported. */
type Reading = Options & { importsLeft: number }

const MAX_IMPORTS = 200

/** Reads the declarations of the sheets of one page in order, those of imported sheets, 200 at most, in their places. */
export function* declarationsOf(sheets: Iterable<CssSheet>, options: Options): Generator<Declaration> {
  const place = { heads: [], context: () => '', contexts: new Map(), layer: rootLayer() }
  const start = { ...place, name: '', prelude: '', root: () => ASSUMED, isInRule: false, holds: true }
  const reading = { ...options, importsLeft: MAX_IMPORTS }
  let order = 0
  for (const sheet of sheets)
    for (const { part, block, own } of placedParts(sheet, start, reading)) {
      const plain = plainCss(own.text.slice(part.start, part.end))
      const value = plainValue(plain)
      const strength = strengthOf(block, plain.slice(value.length).toLowerCase(), order++)
      const name = block.name === 'property' ? block.prelude : part.name
      yield { name, value, sheet: own, at: part.start, block, strength }
    }
}

/** Values outside of all rules are for a file that has a rule around its import. */
const ASSUMED: RootMatch = { tier: TIER.assumed, specificity: 0 }
const INITIAL: RootMatch = { tier: TIER.initial, specificity: 0 }

/** Of values with `!default` in SCSS, the first one counts, and only if there is no other value. */
function strengthOf({ root, layer }: CssBlock, marks: string, order: number): Strength {
  const isImportant = marks.includes('important')
  if (marks.includes('default')) return { ...INITIAL, isImportant, layer, order: -order }
  return { ...root(), isImportant, layer, order }
}

type Part<Kind> = CssPart & { kind: Kind }
type Placed = { part: Part<'declaration'>; block: CssBlock; own: CssSheet }

/** The declarations of a sheet with the blocks that they are in. */
function* placedParts(own: CssSheet, outside: CssBlock, reading: Reading): Generator<Placed> {
  let block = outside
  /** Browsers ignore an import after a rule. */
  let mayImport = true
  for (const part of parseCss(own.text, own.syntax)) {
    if (part.kind === 'too-deep') reading.onTooDeep?.(own)
    else if (part.kind === 'end') block = block.outer ?? outside
    else if (part.kind === 'declaration') {
      if (reading.wants(part.name, block)) yield { part, block, own }
    } else {
      const prelude = plainCss(own.text.slice(part.start, part.end))
      if (part.kind === 'block') block = innerBlock(block, part.name, prelude)
      else if (part.name === 'layer') for (const name of cssList(prelude)) innerBlock(block, 'layer', name)
      else if (mayImport) yield* importedParts(own, block, part.name, prelude, reading)
      mayImport &&= part.kind === 'statement' || own.syntax === 'scss'
    }
  }
}

function innerBlock(outer: CssBlock, name: string, prelude: string): CssBlock {
  const head = name === '' ? prelude : `@${name} ${prelude}`
  const context = lazy(() => numberOf(`${outer.context()} ${head}`, outer.contexts))
  const heads = [...outer.heads, head]
  return { ...outer, outer, name, prelude, heads, context, ...(BLOCKS.get(name) ?? otherBlock)(outer, prelude) }
}

function numberOf(text: string, numbers: Map<string, string>): string {
  const number = numbers.get(text) ?? `${numbers.size + 1}`
  numbers.set(text, number)
  return number
}

type BlockReader = (outer: CssBlock, prelude: string) => Partial<CssBlock>

const otherBlock: BlockReader = () => ({ holds: false })

/** What at-rules, and rules, change for the declarations in them. */
const BLOCKS: ReadonlyMap<string, BlockReader> = new Map<string, BlockReader>([
  [
    '',
    ({ isInRule, root }, prelude) => ({
      isInRule: true,
      root: lazy(() => matchRoot(cssList(prelude), isInRule ? root() : undefined)),
    }),
  ],
  [
    'layer',
    ({ heads, context, holds, layer }, name) => ({ heads, context, layer: holds ? innerLayer(layer, name) : layer }),
  ],
  ['media', ({ holds }, query) => ({ holds: holds && holdsOnScreen('media', query) })],
  ['supports', ({ holds }, condition) => ({ holds: holds && holdsOnScreen('supports', `(${condition})`) })],
  ['theme', () => ({ root: () => ASSUMED })],
  ['property', () => ({ root: () => INITIAL })],
])

/** The declarations of the sheets that a statement imports, in the blocks that its conditions make. */
function* importedParts(
  { open, syntax }: CssSheet,
  block: CssBlock,
  name: string,
  prelude: string,
  reading: Reading,
): Generator<Placed> {
  // Only SCSS has several addresses in one import.
  const imports = syntax === 'scss' ? cssList(prelude) : [prelude]
  for (const text of IMPORTS.has(name) ? imports : []) {
    const [address = '', ...conditions] = cssWords(text)
    // `url(a.css)`, or only the address.
    const [written = address] = cssCall(address).args
    const sheet = reading.importsLeft > 0 ? open(unquote(written)) : undefined
    if (!sheet) continue
    reading.importsLeft--
    yield* placedParts(sheet, name === 'import' ? conditionBlock(block, conditions) : block, reading)
  }
}

const IMPORTS = wordSet('import use forward')

/** The block that the conditions after an address make: `layer(base) supports(display: grid) print`. */
function conditionBlock(block: CssBlock, conditions: readonly string[]): CssBlock {
  const calls = conditions.map(condition => (condition === 'layer' ? UNNAMED_LAYER : cssCall(condition)))
  const media = conditions.filter((_, at) => !OWN_BLOCKS.has(calls[at]?.name ?? '')).join(' ')
  const own = calls.filter(({ name }) => OWN_BLOCKS.has(name))
  const inner = own.reduce((outer, { name, args }) => innerBlock(outer, name, args.join(', ')), block)
  return media === '' ? inner : innerBlock(inner, 'media', media)
}

const UNNAMED_LAYER = { name: 'layer', args: [] }
/** The conditions that are functions; all others are for media. */
const OWN_BLOCKS = wordSet('layer supports')

/** The declarations of rules on the usual screen, the weakest first. Rules in rules are left out. */
export function screenDeclarations(text: string): Declaration[] {
  const wants = (_: string, block: CssBlock) => block.holds && block.name === '' && block.outer?.isInRule === false
  const all = [...declarationsOf([{ text, syntax: 'css', open: () => undefined }], { wants })]
  return all.sort((one, other) => compareStrengths({ ...one.strength, tier: 0 }, { ...other.strength, tier: 0 }))
}

/** The values of the root, by variable, among what browsers take. */
export function rootValues(winners: ReturnType<typeof winnersOf>): Map<string, Set<string>> {
  const taken = [...new Set(winners.values())].flatMap(winner => winner ?? [])
  const own = taken.filter(({ block }) => contextOf(block) === '')
  return new Map(own.map(({ name, value }) => [name, new Set([value])]))
}

/** Where a declaration holds: empty for the root on the usual screen, else the number of its selectors and conditions. */
export function contextOf({ holds, root, context }: CssBlock): string {
  return holds && root().tier > TIER.other ? '' : context()
}

/** For each declaration, the one that browsers take for its variable and its context; undefined if they take none. */
export function winnersOf(declarations: Iterable<Declaration>): Map<Declaration, Declaration | undefined> {
  const groups = Map.groupBy(declarations, ({ block, name }) => `${contextOf(block)}\n${name}`)
  const pairs = groups.values().flatMap(group => {
    const winner = strongest(group)
    return group.map(declaration => [declaration, winner] as const)
  })
  return new Map(pairs)
}

function strongest(group: readonly Declaration[]): Declaration | undefined {
  const ordered = group.toSorted((one, other) => compareStrengths(other.strength, one.strength))
  let left = ordered
  for (let first = left[0]; first?.value === 'revert-layer'; first = left[0]) {
    const { layer } = first.strength
    left = left.filter(({ strength }) => !strength.isImportant && compareLayers(strength.layer, layer) < 0)
  }
  const [first] = left
  // The root inherits nothing.
  return first && !KEYWORDS.has(first.value) ? first : ordered.find(({ strength }) => strength.tier === TIER.initial)
}

const KEYWORDS = wordSet('initial inherit unset revert')

/** Negative if the first declaration is weaker (CSS Cascade 5 §6.1). */
function compareStrengths(one: Strength, other: Strength): number {
  const layers = compareLayers(one.layer, other.layer)
  const differences = [
    one.tier - other.tier,
    Number(one.isImportant) - Number(other.isImportant),
    one.isImportant ? -layers : layers,
    one.specificity - other.specificity,
    one.order - other.order,
  ]
  return differences.find(difference => difference !== 0) ?? 0
}
