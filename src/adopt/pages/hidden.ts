import type { Element, Root } from 'hast'
import { declarationsOf } from '#formats/css/cascade.ts'
import { type CssDeclaration, styleDeclarations } from '#formats/css/rules.ts'
import { cssList } from '#formats/css/values.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import { valuesAt } from '#platform/base/object.ts'
import type { Edit } from '#platform/base/text.ts'
import {
  attribute,
  childElements,
  elementOf,
  elementsIn,
  parseFragment,
  replaceElements,
  sheetOf,
  wordsOfAttribute,
} from './html-tree.ts'
import { spanOf } from './markup.ts'
import type { Note, Pass } from './page.ts'
import { signed, signsOf } from './signs.ts'

/**
 * Finds what hides elements of a page: attributes, and rules of its sheet that hold in any state and on any screen.
 * What readers can open is not hidden.
 */
export function hidingOf(tree: Root, sheet: string): (element: Element) => boolean {
  const all = [...elementsIn(tree)]
  const opened = new Set(all.flatMap(each => OPENERS.flatMap(name => wordsOfAttribute(each, name))))
  const rules = rulesOf(sheet)
  const hiding = rules.filter(rule => rule.isHiding && !isShown(rule, rules))
  const byName = Map.groupBy(hiding, ({ names: [first] }) => first)
  const ways = [...WAYS_TO_HIDE, (element: Element) => isSelected(element, byName)]
  return element =>
    ways.some(hides => hides(element)) && !canOpen(signsOf(element)) && !opened.has(attribute(element, 'id'))
}

/** The ways in which an element hides itself. */
const WAYS_TO_HIDE: readonly ((element: Element) => boolean)[] = [
  element => !SEEN.has(attribute(element, 'hidden')),
  element => element.tagName === 'dialog' && attribute(element, 'open') === '',
  element => styleDeclarations(attribute(element, 'style')).some(isHiding),
]

/** Values of `hidden` with which readers find an element. */
const SEEN: ReadonlySet<string> = new Set(['', 'until-found'])
const OPENERS = ['ariaControls', 'popoverTarget', 'dataTarget', 'dataBsTarget']
const canOpen = signed('@tabpanel .tab-pane* .tabpane* .tab-content* .tabcontent*')

/** A rule that says whether something is shown: the names of its elements, and whether it always hides them or shows them. */
type Rule = { names: readonly string[]; isHiding: boolean; isShowing: boolean }

function rulesOf(sheet: string): Rule[] {
  const all = declarationsOf([{ text: sheet, syntax: 'css', open: () => undefined }], {
    wants: name => HIDING_VALUES.has(name),
  })
  return Array.from(all).flatMap(({ name, value, block }) => {
    const hides = isHiding({ property: name, value })
    const isAlways = block.holds && !block.outer?.isInRule
    return cssList(block.prelude).map(selector => ({
      names:
        selector
          .toLowerCase()
          .replace(/^.*[\s>+~]/s, '')
          .match(NAME) ?? [],
      isHiding: hides && isAlways && /^[\w.#-]+$/.test(selector),
      isShowing: !hides,
    }))
  })
}

const NAME = /[.#][\w-]+|^[a-z][\w-]*/g

/** The beginnings of values of properties that hide an element. */
const HIDING_VALUES: ReadonlyMap<string, string> = new Map([
  ['display', 'none'],
  ['visibility', 'hidden'],
])

function isHiding({ property, value }: Pick<CssDeclaration, 'property' | 'value'>): boolean {
  return value.toLowerCase().startsWith(HIDING_VALUES.get(property) ?? '\0')
}

/** Whether another rule shows what a rule hides, such as `.menu.open`. */
function isShown({ names }: Rule, rules: readonly Rule[]): boolean {
  return rules.some(rule => rule.isShowing && names.every(name => rule.names.includes(name)))
}

/** Whether one of these rules, by the first of its names, is for an element. */
function isSelected(element: Element, rules: ReadonlyMap<string | undefined, readonly Rule[]>): boolean {
  const own = signsOf(element)
  const candidates = valuesAt(rules, [...own])
  return candidates.some(({ names }) => names.every(name => own.has(name)))
}

/** Replaces the templates of shadow roots with their content, its slots filled. */
export function openShadows(tree: Root): void {
  for (const host of elementsIn(tree)) {
    const root = childElements(host).find(child => attribute(child, 'shadowRootMode') !== '')
    const slots = Map.groupBy(
      host.children.filter(child => child !== root),
      child => attribute(child, 'slot'),
    )
    const { content } = elementOf(root)
    const given = (slot: Element) => (slot.tagName === 'slot' ? slots.get(attribute(slot, 'name')) : undefined)
    if (!content) continue
    const shown = content.children.filter(child => child.type !== 'doctype')
    host.children = replaceElements(shown, given)
  }
}

/** Removes HTML in Markdown that readers never see. */
export const hidden: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const tree = parseFragment(MAY_HIDE.some(word => text.toLowerCase().includes(word)) ? withoutCode(text) : '')
  const isHidden = hidingOf(tree, sheetOf(tree))
  let last = 0
  for (const element of elementsIn(tree)) {
    const { start, end } = spanOf(element)
    const source = text.slice(start, end)
    if (start < last || !source.endsWith(`</${element.tagName}>`) || !isHidden(element)) continue
    last = end
    edits.push({ start, end, text: '' })
    notes.push({ at: start, what: 'HTML that readers do not see', text: source, isHidden: true })
  }
  return { edits, notes }
}

const MAY_HIDE = ['hidden', 'none', '<dialog']
