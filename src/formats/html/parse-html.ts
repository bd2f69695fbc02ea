import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parse,
  parseFragment,
} from 'parse5'

/** The most elements, attributes of all elements, and elements inside each other that a caller can work with. */
export type HtmlLimits = { elements: number; attributes: number; depth: number }

/** `hasScripts`: the content of `noscript` is text, as for browsers with scripts. */
type Options = { limits?: HtmlLimits; hasScripts?: boolean }

/**
 * Parses an HTML document as browsers do, with the offsets of its parts.
 *
 * @throws {HtmlTooLarge} if it passes a limit
 */
export function parseHtml(source: string, options: Options = {}): DefaultTreeAdapterTypes.Document {
  return parse<DefaultTreeAdapterMap>(source, parserOptions(options))
}

/**
 * Parses HTML in the body of a document, such as that in Markdown.
 *
 * @throws {HtmlTooLarge} if it passes a limit
 */
export function parseHtmlFragment(source: string, options: Options = {}): DefaultTreeAdapterTypes.DocumentFragment {
  return parseFragment<DefaultTreeAdapterMap>(source, parserOptions(options))
}

/** HTML that passes a limit. The message ends a sentence. */
export class HtmlTooLarge extends Error {}

const UNLIMITED: HtmlLimits = { elements: Infinity, attributes: Infinity, depth: Infinity }

function parserOptions({ limits = UNLIMITED, hasScripts = false }: Options) {
  const counts: HtmlLimits = { elements: 0, attributes: 0, depth: 0 }
  const count = (what: keyof HtmlLimits, by: number, words: string = what) => {
    counts[what] += by
    if (counts[what] > limits[what]) throw new HtmlTooLarge(`has more than ${limits[what]} ${words}`)
  }
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      count('elements', 1)
      count('attributes', attributes.length)
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
    onItemPush: () => count('depth', 1, 'elements inside each other'),
    onItemPop: () => count('depth', -1),
  }
  return { scriptingEnabled: hasScripts, sourceCodeLocationInfo: true, treeAdapter }
}
