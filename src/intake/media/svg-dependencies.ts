import { cssAddresses } from '#formats/css/addresses.ts'
import { type CssBlock, cssBlocks } from '#formats/css/rules.ts'
import { cssFamilies, fontFamilies } from '#formats/css/values.ts'
import type { XmlElement, XmlText } from '#formats/xml/parse-xml.ts'
import { groupsOf, quote, wordSet } from '#platform/base/text.ts'
import { embeddedName } from './embedded-text.ts'

/**
 * Finds the fonts and files outside an SVG that it would need. Browsers load none of them in a picture, so that each
 * reader sees other letters, or no picture in it. Fonts and pictures as `data:` are in the SVG itself. Call the result's
 * functions with the parts of the SVG in order, and then `problems`.
 */
export function openDependencies() {
  const files = new Set<string>()
  /** Style sheets, and the declarations of attributes, each once although many elements have it. */
  const styles = new Set<string>()
  /** For each open element, whether it is in a text; the first stands for the document. */
  const inText = [false]
  /** The style sheet so far, while a `<style>` is open. */
  let sheet = ''
  let isStyle = false
  let hasText = false
  const addFile = (address: string) => {
    if (OUTSIDE.test(address)) files.add(address.trim())
  }
  return {
    open: ({ local, attributes }: XmlElement) => {
      isStyle = local === 'style'
      inText.push(inText.at(-1) === true || TEXT.has(local))
      for (const [attribute, value] of attributes) {
        const name = attribute.slice(attribute.indexOf(':') + 1)
        if (name === 'style') styles.add(value)
        else if (name === 'font-family' || /^\s*url\(/i.test(value)) styles.add(`${name}:${value}`)
        if (LOADED[local] === name) addFile(value)
      }
    },
    close: () => {
      styles.add(sheet)
      sheet = ''
      isStyle = false
      inText.pop()
    },
    /** A style sheet before the root element. */
    instruction: ({ target, body }: { target: string; body: string }) => {
      if (target === 'xml-stylesheet') addFile(groupsOf(/\bhref\s*=\s*["']([^"']*)/, body)[1] ?? '')
    },
    text: ({ value }: XmlText) => {
      if (isStyle) sheet += value
      hasText ||= inText.at(-1) === true && value.trim() !== ''
    },
    /** What depends on something outside, with the fix; empty if nothing does. */
    problems: (): string[] => {
      // Without text, its fonts do not matter.
      const { used, embedded } = readStyles(hasText ? styles : styles.values().filter(hasAddress))
      const missingFamilies = used.families.difference(GENERIC).difference(embedded.families)
      const families = hasText ? missingFamilies : new Set<string>()
      for (const address of used.addresses) addFile(address)
      return problemsWith(families, files)
    },
  }
}

function problemsWith(families: ReadonlySet<string>, files: ReadonlySet<string>): string[] {
  const all = [
    {
      names: families,
      problem: `its letters are text in ${listOf(families)}, which browsers cannot load in a picture: convert them to outlines`,
    },
    { names: files, problem: `it links to ${listOf(files)}, which browsers do not load in a picture: embed it` },
  ]
  return all.filter(({ names }) => names.size > 0).map(({ problem }) => problem)
}

/** An address that is neither empty, nor within the SVG. */
const OUTSIDE = /^\s*(?!#|data:)\S/i

/** Elements that show another file, with the attribute that names it. */
const LOADED: Readonly<Record<string, string>> = {
  image: 'href',
  use: 'href',
  feImage: 'href',
  link: 'href',
  tref: 'href',
  img: 'src',
}
const TEXT: ReadonlySet<string> = new Set(['text', 'foreignObject'])
const MAX_NAMES = 3

function listOf(names: ReadonlySet<string>): string {
  return Array.from(names.values().take(MAX_NAMES), name => quote(embeddedName(name) ?? '')).join(', ')
}

type Names = ReturnType<typeof noNames>

function noNames() {
  return { families: new Set<string>(), addresses: new Set<string>() }
}

/** Reads the families and addresses that style sheets use, and those of their fonts that are embedded as `data:`. */
function readStyles(styles: Iterable<string>): { used: Names; embedded: Names } {
  const used = noNames()
  const embedded = noNames()
  // A font outside the SVG is reported only if a style uses its family.
  const outside = noNames()
  for (const block of Iterator.from(styles).flatMap(cssBlocks)) {
    const addresses = addressesOf(block)
    const fonts = addresses.some(isData) ? embedded : outside
    const names = block.name === 'font-face' ? fonts : used
    for (const address of addresses) names.addresses.add(address)
    for (const family of familiesOf(block)) names.families.add(family)
  }
  return { used, embedded }
}

/** Families of each system, and keywords that are not families. */
const GENERIC =
  wordSet(`sans-serif serif monospace rounded ui-sans-serif ui-serif ui-monospace ui-rounded cursive fantasy math
    emoji system-ui inherit initial unset`)

function isData(address: string): boolean {
  return /^\s*data:/i.test(address)
}

/** Whether a style sheet may name an address. */
function hasAddress(css: string): boolean {
  return /[(@]/.test(css)
}

/** The addresses in the declarations of a block, and of the sheets that it imports. */
function addressesOf({ declarations, statements }: CssBlock): string[] {
  // A string after `@import` is an address, like a string in `src()`.
  const imports = statements.filter(({ name }) => name === 'import').map(({ text }) => `src(${text})`)
  const texts = [...imports, ...declarations.map(({ text }) => text)].filter(hasAddress)
  return texts.flatMap(text => Array.from(cssAddresses(text), ({ address }) => address))
}

/** The first family of each declaration in a block that names some. */
function familiesOf({ declarations }: CssBlock): string[] {
  const first = declarations.flatMap(({ property, value }) => FAMILIES.get(property)?.(value).slice(0, 1) ?? [])
  return first.flatMap(family => embeddedName(family) ?? [])
}

const FAMILIES: ReadonlyMap<string, (value: string) => string[]> = new Map([
  ['font-family', cssFamilies],
  ['font', fontFamilies],
])
