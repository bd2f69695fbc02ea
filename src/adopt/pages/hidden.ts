import type { Element, ElementContent, Parents, Root } from 'hast'
import { declarationsOf } from '#formats/css/cascade.ts'
import { type CssDeclaration, styleDeclarations } from '#formats/css/rules.ts'
import { cssList } from '#formats/css/values.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import { attempt } from '#platform/base/result.ts'
import type { Edit } from '#platform/base/text.ts'
import { attribute, elementsIn, parseHtml, sheetOf, signature } from './html-tree.ts'
import { spanOf } from './markup.ts'
import type { Note, Pass } from './page.ts'

/**
 * Finds what hides elements of a page: attributes, and rules of its sheet that hold in any state and on any screen.
 * What readers can open is not hidden.
 */
export function hidingOf(tree: Root, sheet: string): (element: Element) => boolean {
  const all = [...elementsIn(tree)]
  const opened = new Set(all.flatMap(each => OPENERS.flatMap(name => attribute(each, name).match(/\S+/g) ?? [])))
  const rules = rulesOf(sheet)
  const plain = rules.filter(rule => rule.hides && rule.isPlain && !isShown(rule, rules))
  const byName = Map.groupBy(plain, ({ names }) => names[0] ?? '')
  const hides = (element: Element) =>
    !/^(?:until-found)?$/.test(attribute(element, 'hidden')) ||
    (element.tagName === 'dialog' && attribute(element, 'open') === '') ||
    styleDeclarations(attribute(element, 'style')).some(isHiding) ||
    isSelected(element, byName)
  return element => hides(element) && !CAN_OPEN.test(signature(element)) && !opened.has(attribute(element, 'id'))
}

const OPENERS = ['ariaControls', 'popoverTarget', 'dataTarget', 'dataBsTarget']
const CAN_OPEN = / @tabpanel | \.tab-?(?:pane|panel|content)\S* /i

/** A rule that says whether something is shown: the names of its elements, and whether it holds always. */
type Rule = { names: readonly string[]; isPlain: boolean; hides: boolean }

function rulesOf(sheet: string): Rule[] {
  const all = declarationsOf([{ text: sheet, syntax: 'css', open: () => undefined }], { wants: saysWhetherShown })
  return Array.from(all).flatMap(({ name, value, block }) =>
    cssList(block.prelude).map(selector => ({
      names: (selector.split(/[\s>+~]/).at(-1) ?? '').match(NAME) ?? [],
      isPlain: block.holds && block.outer?.isInRule === false && /^[\w.#-]+$/.test(selector),
      hides: isHiding({ property: name, value }),
    })),
  )
}

const NAME = /[.#][\w-]+|^[a-z][\w-]*/gi

function saysWhetherShown(property: string): boolean {
  return property === 'display' || property === 'visibility'
}

function isHiding({ property, value }: Pick<CssDeclaration, 'property' | 'value'>): boolean {
  return saysWhetherShown(property) && /^(?:none|hidden)\b/i.test(value)
}

/** Whether another rule shows what a rule hides, such as `.menu.open`. */
function isShown({ names }: Rule, rules: readonly Rule[]): boolean {
  return rules.some(rule => !rule.hides && names.every(name => rule.names.includes(name)))
}

/** Whether one of these rules, by the first of its names, is for an element. */
function isSelected(element: Element, rules: ReadonlyMap<string, readonly Rule[]>): boolean {
  if (rules.size === 0) return false
  const own = new Set(signature(element).trim().split(' '))
  return own.values().some(name => rules.get(name)?.some(({ names }) => names.every(each => own.has(each))) ?? false)
}

/** Replaces the templates of shadow roots with their content, its slots filled. */
export function openShadows(parent: Parents): void {
  const root = parent.children.find(child => child.type === 'element' && attribute(child, 'shadowRootMode') !== '')
  if (root?.type === 'element' && parent.type === 'element') {
    const own = parent.children.filter(child => child !== root)
    const slotOf = (child: ElementContent) => (child.type === 'element' ? attribute(child, 'slot') : '')
    const fill = (node: ElementContent): ElementContent[] => {
      if (node.type !== 'element') return [node]
      const given = node.tagName === 'slot' ? own.filter(child => slotOf(child) === attribute(node, 'name')) : []
      return given.length > 0 ? given : [{ ...node, children: node.children.flatMap(fill) }]
    }
    parent.children = (root.content?.children ?? []).flatMap(child => (child.type === 'doctype' ? [] : fill(child)))
  }
  for (const child of parent.children) if (child.type === 'element') openShadows(child)
}

/** Removes HTML in Markdown that readers never see. */
export const hidden: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const tree = MAY_HIDE.test(text) ? attempt(() => parseHtml(withoutCode(text), true)) : undefined
  if (tree === undefined) return { edits, notes }
  const isHidden = hidingOf(tree, sheetOf(tree))
  for (const element of elementsIn(tree)) {
    const { start, end } = spanOf(element)
    const source = text.slice(start, end)
    if (start < (edits.at(-1)?.end ?? 0) || !source.endsWith(`</${element.tagName}>`) || !isHidden(element)) continue
    edits.push({ start, end, text: '' })
    notes.push({ at: start, what: 'HTML that readers do not see', text: source, isHidden: true })
  }
  return { edits, notes }
}

const MAY_HIDE = /<[^<>]*\shidden\b|display\s*:\s*none|visibility\s*:\s*hidden|<dialog/i
