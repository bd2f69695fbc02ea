import type { XmlElement, XmlText } from '#formats/xml/parse-xml.ts'
import { groupsOf, quote, wordSet } from '#platform/base/text.ts'
import { embeddedName } from './embedded-text.ts'

/**
 * Finds the fonts and files outside an SVG that it would need. Browsers load none of them in a picture, so that each
 * reader sees other letters, or no picture in it. Fonts and pictures as `data:` are in the SVG itself.
 */
export function openDependencies() {
  const files = new Set<string>()
  /** For each open element, whether it is in a text. */
  const inText = [false]
  let [css, isStyle, hasText] = ['', false, false]
  const addFile = (address: string) => {
    if (OUTSIDE.test(address)) addName(files, address.trim())
  }
  return {
    open: ({ local, attributes }: XmlElement) => {
      isStyle = local === 'style'
      inText.push(inText.at(-1) === true || TEXT.has(local))
      for (const [attribute, value] of attributes) {
        const name = attribute.slice(attribute.indexOf(':') + 1)
        if (name === 'font-family') css += `font-family:${value};`
        if (name === 'style' || /^\s*url\(/i.test(value)) css += `${value};`
        if (LOADED[local] === name) addFile(value)
      }
    },
    close: () => {
      isStyle = false
      inText.pop()
    },
    /** A style sheet before the root element. */
    instruction: ({ target, body }: { target: string; body: string }) => {
      if (target === 'xml-stylesheet') addFile(groupsOf(/\bhref\s*=\s*["']([^"']*)/, body)[1] ?? '')
    },
    text: ({ value }: XmlText) => {
      if (isStyle) css += value
      hasText ||= inText.at(-1) === true && value.trim() !== ''
    },
    /** What depends on something outside, with the fix; empty if nothing does. */
    problems: (): string[] => {
      const families = hasText ? missingFamilies(css) : new Set<string>()
      for (const [, address = ''] of withoutFaces(css).matchAll(ADDRESS)) addFile(address)
      return [
        {
          names: families,
          problem: `its letters are text in ${listOf(families)}, which browsers cannot load in a picture: convert them to outlines`,
        },
        { names: files, problem: `it links to ${listOf(files)}, which browsers do not load in a picture: embed it` },
      ]
        .filter(({ names }) => names.size > 0)
        .map(({ problem }) => problem)
    },
  }
}

/** An address that is neither empty, nor within the SVG. */
const OUTSIDE = /^\s*(?!#|data:)\S/i
const ADDRESS = /(?:@import\s*(?:url\(\s*)?|url\(\s*)["']?([^"')\s]*)/gi

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

function addName(names: Set<string>, name: string): void {
  if (names.size < MAX_NAMES) names.add(name)
}

function listOf(names: ReadonlySet<string>): string {
  return Array.from(names, name => quote(embeddedName(name) ?? '')).join(', ')
}

/** The first families that a style sheet names and does not contain. */
function missingFamilies(css: string): ReadonlySet<string> {
  const embedded = (css.match(FACE) ?? []).filter(face => /url\(\s*["']?data:/i.test(face)).flatMap(familyIn)
  const declared = withoutFaces(css).matchAll(/\bfont(?:-family)?\s*:[^;}]*/gi)
  const named = new Set(Array.from(declared, ([declaration]) => familyIn(declaration.slice(0, MAX_DECLARATION))).flat())
  const missing = new Set<string>()
  for (const family of named.difference(GENERIC).difference(new Set(embedded))) addName(missing, family)
  return missing
}

const FACE = /@font-face\s*\{[^{}]*\}/gi
const MAX_DECLARATION = 500
const GENERIC =
  wordSet(`sans-serif serif monospace rounded ui-sans-serif ui-serif ui-monospace ui-rounded cursive fantasy math
    emoji system-ui inherit initial unset`)

/** A style sheet without its fonts, and without its namespaces, which are no files. */
function withoutFaces(css: string): string {
  return css.replace(/@font-face\s*\{[^{}]*\}|@namespace[^;]*/gi, '')
}

/** The first family of `font-family`, or of `font` after its size. */
function familyIn(css: string): string[] {
  const value = groupsOf(/font-family\s*:\s*([^;}]+)/i, css)[1] ?? groupsOf(AFTER_SIZE, css)[1] ?? ''
  const [first = ''] = value.split(',')
  return [embeddedName(first.replace(/["']|!important/g, '')) ?? []].flat()
}

const AFTER_SIZE =
  /font\s*:(?<!font\s*:[^;}]*?:)[^;}]*\d[a-z_%]*(?:\/(?<!\d[a-z_%]*\/[^\s:;}]*?\/)[^\s:;}]+)?\s+([^;}]+)/i
