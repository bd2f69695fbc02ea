import type { Element, ElementContent, Root as Html } from 'hast'
import type { Code, ListItem, Parents, Root, Text } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import rehypeRaw from 'rehype-raw'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype, { defaultHandlers, type Options } from 'remark-rehype'
import { type Processor, unified } from 'unified'

/** Parses CommonMark without extensions into a tree of mdast. */
export function parseCommonMark(text: string): Root {
  return fromMarkdown(text)
}

/** A parser of CommonMark and GFM, also next to Chinese, Japanese and Korean letters, with more `grammar`. */
export function markdownParser(grammar: (this: Processor) => void) {
  return unified().use(remarkParse).use(remarkGfm, ONLY_DOUBLE).use(grammar).use(cjkFriendly).freeze()
}

/** `10~20 px, 30~40 px` is not struck out. */
const ONLY_DOUBLE = { singleTilde: false }

/** Reads emphasis next to Chinese, Japanese and Korean punctuation, which CommonMark leaves as text. */
function cjkFriendly(this: Processor): void {
  const data = this.data()
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly(ONLY_DOUBLE),
  ]
}

/** Makes a tree of hast from one of Markdown, whose HTML is parsed as in a browser, once the tree is `prepared`. */
export function htmlMaker(options: Options, prepare: (tree: Html) => void) {
  return unified()
    .use(remarkRehype, { allowDangerousHtml: true, ...options })
    .use(() => prepare)
    .use(rehypeRaw)
    .freeze()
}

/** Parses CommonMark with the HTML in it into a tree of hast. */
export function parseWithHtml(text: string): Html {
  return plainMaker.runSync(fromMarkdown(text))
}

const plainMaker = htmlMaker({}, () => undefined)

/** Parses CommonMark with the HTML in it into a tree of hast, in which `br` is between the lines of a text in Markdown. */
export function parseLines(text: string): Html {
  return lineMaker.runSync(fromMarkdown(text))
}

const lineMaker = htmlMaker(
  {
    handlers: {
      text: (_state, { value }: Text) => linesOf(value),
      code: (state, node: Code) => {
        const pre: Element = { type: 'element', tagName: 'pre', properties: {}, children: linesOf(node.value) }
        state.patch(node, pre)
        return pre
      },
      // The text of an item is a paragraph.
      listItem: (state, item: ListItem, parent: Parents | undefined) =>
        defaultHandlers.listItem(state, { ...item, spread: true }, parent),
    },
  },
  () => undefined,
)

function linesOf(text: string): ElementContent[] {
  const lines = text.split('\n').flatMap((value): ElementContent[] => [
    { type: 'element', tagName: 'br', properties: {}, children: [] },
    { type: 'text', value },
  ])
  return lines.slice(1)
}
