import type { DefaultTreeAdapterTypes } from 'parse5'

export type Element = DefaultTreeAdapterTypes.Element
type ParentNode = DefaultTreeAdapterTypes.ParentNode

export function hasClass(attrs: Element['attrs'], name: string): boolean {
  return attrs.some(each => each.name === 'class' && each.value.split(/\s+/).includes(name))
}

export function attributeOf({ attrs }: Element, name: string): string {
  return attrs.find(each => each.name === name)?.value ?? ''
}

export function elementsIn(node: ParentNode): Element[] {
  return node.childNodes.flatMap(child => ('tagName' in child ? [child, ...elementsIn(child)] : []))
}

export function textIn(node: ParentNode): string {
  return node.childNodes
    .map(child => ('value' in child ? child.value : 'childNodes' in child ? textIn(child) : ''))
    .join('')
}
