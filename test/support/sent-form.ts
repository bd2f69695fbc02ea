import { type DefaultTreeAdapterMap, parse } from 'parse5'

type Node = DefaultTreeAdapterMap['node']

/** The fields that a browser sends for the form of the editor on a page, where nothing was changed; or for any form. */
export function formOnPage(page: string, attribute = 'data-edit'): URLSearchParams {
  const form = new URLSearchParams()
  const visit = (node: Node, isInside: boolean): void => {
    if (!('tagName' in node)) {
      if ('childNodes' in node) for (const child of node.childNodes) visit(child, isInside)
      return
    }
    const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
    const isForm = isInside || (node.tagName === 'form' && attributes.has(attribute))
    const name = isForm ? attributes.get('name') : undefined
    if (
      name !== undefined &&
      node.tagName === 'input' &&
      (attributes.get('type') !== 'checkbox' || attributes.has('checked'))
    )
      form.append(name, shownIn(attributes))
    if (name !== undefined && node.tagName === 'textarea') form.append(name, textOf(node).replaceAll('\n', '\r\n'))
    if (name !== undefined && node.tagName === 'select') {
      const options = node.childNodes.flatMap(child =>
        'attrs' in child ? [new Map(child.attrs.map(each => [each.name, each.value]))] : [],
      )
      const chosen = options.filter(option => option.has('selected'))
      const sent = chosen.length > 0 || attributes.has('multiple') ? chosen : options.slice(0, 1)
      for (const option of sent) form.append(name, option.get('value') ?? '')
    }
    for (const child of node.childNodes) visit(child, isForm)
  }
  visit(parse(page), false)
  return form
}

/** A field of one line has no line ends. */
function shownIn(attributes: ReadonlyMap<string, string>): string {
  const value = attributes.get('value') ?? ''
  return attributes.has('type') ? value : value.replaceAll(/[\r\n]/g, '')
}

function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}
