import type { SaxesTagNS } from 'saxes'
import { groupsOf, quote, wordSet } from '#platform/base/text.ts'
import { embeddedName } from './embedded-text.ts'

/**
 * Finds the fonts and files outside an SVG that it would need. Browsers load none of them in a picture, so that each
 * reader sees other letters, or no picture in it. Fonts and pictures as `data:` are in the SVG itself.
 */
export function openDependencies() {
  const [families, files] = [new Set<string>(), new Set<string>()]
  let [css, depth, hasText] = ['', 0, false]
  let isStyle = false
  const addFile = (address: string) => {
    if (!/^\s*(?:#|data:|$)/i.test(address) && files.size < MAX_NAMES) files.add(address.trim())
  }
  return {
    open: ({ local, attributes }: SaxesTagNS) => {
      isStyle = local === 'style'
      if (TEXT.has(local) || depth > 0) depth++
      for (const { local: name, value } of Object.values(attributes)) {
        if (name === 'font-family') css += `font-family:${value};`
        if (name === 'style' || /^\s*url\(/i.test(value)) css += `${value};`
        if (LOADED[local] === name) addFile(value)
      }
    },
    close: () => {
      isStyle = false
      if (depth > 0) depth--
    },
    /** A style sheet before the root element. */
    instruction: ({ target, body }: { target: string; body: string }) => {
      if (target === 'xml-stylesheet') addFile(groupsOf(/\bhref\s*=\s*["']([^"']*)/, body)[1] ?? '')
    },
    text: (text: string) => {
      if (isStyle) css += text
      hasText ||= depth > 0 && text.trim() !== ''
    },
    /** What depends on something outside, with the fix; empty if nothing does. */
    problems: (): string[] => {
      const faces = css.match(/@font-face\s*\{[^{}]*\}/gi) ?? []
      const embedded = new Set(faces.filter(face => /url\(\s*["']?data:/i.test(face)).map(face => familyIn(face)))
      const rules = css.replace(/@font-face\s*\{[^{}]*\}|@namespace[^;]*/gi, '')
      for (const [declaration] of hasText ? rules.matchAll(/\bfont(?:-family)?\s*:[^;}]*/gi) : []) {
        const family = familyIn(declaration.slice(0, MAX_DECLARATION))
        if (family !== undefined && !GENERIC.has(family) && !embedded.has(family) && families.size < MAX_NAMES)
          families.add(family)
      }
      for (const [, address = ''] of rules.matchAll(/(?:@import\s*(?:url\(\s*)?|url\(\s*)["']?([^"')\s]*)/gi))
        addFile(address)
      const text = `its letters are text in ${names(families)}, which browsers cannot load in a picture: convert them to outlines`
      const links = `it links to ${names(files)}, which browsers do not load in a picture: embed it`
      return [...(families.size > 0 ? [text] : []), ...(files.size > 0 ? [links] : [])]
    },
  }
}

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
const MAX_DECLARATION = 500
const GENERIC =
  wordSet(`sans-serif serif monospace rounded ui-sans-serif ui-serif ui-monospace ui-rounded cursive fantasy math
    emoji system-ui inherit initial unset`)

/** The first family of `font-family`, or of `font` after its size. */
function familyIn(css: string): string | undefined {
  const value =
    groupsOf(/font-family\s*:\s*([^;}]+)/i, css)[1] ??
    groupsOf(
      /font\s*:(?<!font\s*:[^;}]*?:)[^;}]*\d[a-z_%]*(?:\/(?<!\d[a-z_%]*\/[^\s:;}]*?\/)[^\s:;}]+)?\s+([^;}]+)/i,
      css,
    )[1]
  return embeddedName(value?.split(',')[0]?.replace(/["']|!important/g, ''))
}

function names(all: ReadonlySet<string>): string {
  return Array.from(all, name => quote(embeddedName(name) ?? '')).join(', ')
}
