import type { Element, Nodes, Root } from 'hast'
import {
  attribute,
  elementsIn,
  find,
  pictureAddress,
  plainText,
  signature,
  tagOf,
  wordsOf,
} from '../pages/html-tree.ts'
import type { PageHead } from '../pages/page.ts'

/** Reads the facts of a site in the head of a page, and around its main content. */
export function readHead(tree: Root, main: Element | Root): PageHead {
  const all = [...elementsIn(tree)]
  const around = [...elementsAround(tree, main)]
  const within = (pattern: RegExp) =>
    around.filter(each => pattern.test(signature(each))).flatMap(each => [...elementsIn(each)])
  const meta = (name: string) => {
    const isNamed = (each: Element) => [attribute(each, 'property'), attribute(each, 'name')].includes(name)
    return (
      attribute(
        all.find(each => each.tagName === 'meta' && isNamed(each)),
        'content',
      ).trim() || undefined
    )
  }
  const links = within(NAVIGATION).filter(({ tagName }) => tagName === 'a')
  const nav = links.map(each => ({
    label: plainText(each) || attribute(each, 'ariaLabel') || wordsOf(each),
    address: attribute(each, 'href'),
  }))
  return {
    lang: attribute(find(tree, /^ html /), 'lang') || undefined,
    siteName: meta('og:site_name'),
    title: plainText(find(tree, /^ title /)) || undefined,
    description: meta('description'),
    logos: addresses(
      within(HEADER)
        .filter(({ tagName }) => tagName === 'img')
        .map(pictureAddress),
    ),
    icons: addresses(all.filter(isIcon).map(each => attribute(each, 'href'))),
    image: meta('og:image'),
    nav: nav.filter(({ label, address }) => label !== '' && !/^(?:#|$)/.test(address)),
  }
}

const HEADER = /^ header | @banner | [.#](?:site-?|page-?|main-?)?header /i
const NAVIGATION = /^ nav (?!.*(?:breadcrumb|toc|pagination))| @navigation (?!.*(?:breadcrumb|toc|pagination))/i

function addresses(all: readonly string[]): string[] {
  return [...new Set(all)].filter(each => each !== '' && !each.startsWith('data:'))
}

function isIcon(element: Element): boolean {
  return element.tagName === 'link' && /(?:^|\s)(?:apple-touch-)?icon(?:\s|$)/i.test(attribute(element, 'rel'))
}

/** The elements of a site that are in no part of its content. */
function* elementsAround(node: Nodes, main: Element | Root): Generator<Element> {
  for (const child of 'children' in node ? node.children : []) {
    if (child.type !== 'element' || /^(?:main|article|section)$/.test(tagOf(child))) continue
    if (child === main && child.tagName !== 'body') continue
    yield child
    yield* elementsAround(child, main)
  }
}
