import type { Element, RootContent } from 'hast'
import { isBlank, makeElement } from '../hast.ts'

/**
 * Replaces each run of `<details>` with the same name by a set of tabs, one of them open; undefined if there is none.
 */
export function withTabs<Node extends RootContent>(nodes: readonly Node[]): (Node | Element)[] | undefined {
  const runs = runsOfPanels(nodes)
  if (runs.length === 0) return undefined
  const joined: (Node | Element)[] = []
  let end = 0
  for (const { start, panels, next } of runs) {
    for (const node of nodes.slice(end, start)) joined.push(node)
    joined.push(tabsOf(panels))
    end = next
  }
  return [...joined, ...nodes.slice(end)]
}

/** At least two adjacent panels with the same name, the index of the first, and the index after the last. */
type Run = { name: string; panels: Element[]; start: number; next: number }

function runsOfPanels(nodes: readonly RootContent[]): Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  for (const [at, node] of nodes.entries()) {
    if (isBlank(node)) continue
    const name = node.type === 'element' ? panelName(node) : undefined
    if (node.type !== 'element' || name === undefined) run = undefined
    else if (run?.name === name) {
      run.panels.push(node)
      run.next = at + 1
    } else {
      run = { name, panels: [node], start: at, next: at + 1 }
      runs.push(run)
    }
  }
  return runs.filter(({ panels }) => panels.length > 1)
}

function panelName({ tagName, properties, children }: Element): string | undefined {
  const first = children.find(child => !isBlank(child))
  const hasLabel = first?.type === 'element' && first.tagName === 'summary'
  return tagName === 'details' && hasLabel && typeof properties.name === 'string' ? properties.name : undefined
}

function tabsOf(panels: readonly Element[]): Element {
  const open = panels.find(({ properties }) => properties.open === true) ?? panels[0]
  for (const panel of panels) panel.properties.open = panel === open
  return makeElement('div', { className: ['tabs'] }, ...panels)
}
