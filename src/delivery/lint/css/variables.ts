import { type CssBlock, type CssSheet, declarationsOf, winnersOf } from '#formats/css/cascade.ts'
import { fontFaces, isFaceProperty } from '#formats/css/font-faces.ts'
import type { CssSyntax } from '#formats/css/parse-css.ts'
import { TIER } from '#formats/css/root-selector.ts'
import { sassCandidates } from '#formats/css/sass.ts'
import { isVariable, shortValue } from '#formats/css/variables.ts'
import { wordSet } from '#platform/base/text.ts'
import { NO_SHEETS, type Sheets } from '../source.ts'

/** Distinct values of variables as written, by name with `--` or `$`, and the fonts of `@font-face` by `faceKey`. */
export type ScopedValues = Map<string, Set<string>>

/** A sheet of a page. */
export type PageSheet = { text: string; syntax: CssSyntax; sheets: Sheets }

/**
 * Adds the variables and fonts of the sheets of a page and of all that they import, at most 200. Of values for the same
 * elements, only the one that browsers take counts; a variable of SCSS has all of its values.
 */
export function collectVariables(pageSheets: readonly PageSheet[], into: ScopedValues = new Map()): ScopedValues {
  const all = [...declarationsOf(pageSheets.map(openSheet), { wants })]
  const winners = winnersOf(all)
  for (const declaration of all) {
    const { name, value } = declaration
    const isValid = name.startsWith('$') || winners.get(declaration) === declaration
    if (SIZES.has(name)) addVariable(ROOT_SIZE, value, into)
    else if (isVariable(name) && isValid) addVariable(name, value, into)
  }
  for (const { family, sources } of fontFaces(all))
    for (const source of sources.flatMap(namesIn)) addVariable(faceKey(family.replace(/["']/g, '')), source, into)
  return into
}

/** Adds the variables of a `style` attribute, which are only for its element. */
export function addElementVariables(style: string, into: ScopedValues): void {
  if (style.includes('--')) collectVariables([{ text: style, syntax: 'css', sheets: NO_SHEETS }], into)
}

function wants(name: string, block: CssBlock): boolean {
  return isVariable(name) || isFaceProperty(name, block) || (SIZES.has(name) && block.root().tier === TIER.root)
}

const SIZES = wordSet('font font-size')

/** The name of the sizes that sheets give to the root element: there, `rem` is not 16 px. */
export const ROOT_SIZE = '@root'

/** The names of fonts in `src`: `Acme Sans` of `local("Acme Sans")`, `acme.woff2` of `url(/a/acme.woff2?1)`. */
function namesIn(source: string): string[] {
  const sources = source.matchAll(/\b(local|url)\(\s*["']?([^"')]{1,300})/gi)
  return Array.from(sources, ([, kind = '', text = '']) =>
    kind.toLowerCase() === 'local' ? text : text.replace(/[?#].*$|^.*\//gs, ''),
  )
}

/** A sheet that opens those that it imports, each from its first candidate that can be opened. */
function openSheet({ text, syntax, sheets }: PageSheet): CssSheet {
  const open = (address: string) => {
    const candidates = syntax === 'scss' ? sassCandidates(address).filter(path => !path.endsWith('.sass')) : [address]
    const found = candidates.values().flatMap(candidate => {
      const sheet = sheets.open(candidate)
      return sheet ? [openSheet({ ...sheet, syntax: candidate.endsWith('.css') ? 'css' : syntax })] : []
    })
    // The iterator is lazy, so that no candidate is opened after the first that exists.
    return found.take(1).toArray()[0]
  }
  return { text, syntax, open }
}

/** The key of the fonts of a family. */
export function faceKey(family = ''): string {
  return `@font-face ${family.toLowerCase()}`
}

/** Keeps the first values of a variable, more than any theme or component has in practice. */
function addVariable(name: string, value: string, into: ScopedValues): void {
  const values = into.get(name) ?? new Set()
  if (values.size < MAX_VALUES) into.set(name, values.add(shortValue(value)))
}

const MAX_VALUES = 20
