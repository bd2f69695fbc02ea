import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { defaultTreeAdapter, parse, type parseFragment } from 'parse5'
import { VFile } from 'vfile'
import { elementsIn } from './html-tree.ts'

/**
 * Parses HTML, also a part of a page.
 *
 * @throws {Error} if it has too many elements, also in each other
 */
export function parseHtml(source: string, parser: typeof parse | typeof parseFragment = parse): Root {
  let [depth, count] = [0, 0]
  const document = parser(source, {
    scriptingEnabled: false,
    sourceCodeLocationInfo: true,
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush: () => {
        if (++depth > MAX_DEPTH) throw new Error(`has more than ${MAX_DEPTH} elements inside each other`)
        if (++count > MAX_ELEMENTS) throw new Error(`has more than ${MAX_ELEMENTS} elements`)
      },
      onItemPop: () => depth--,
    },
  })
  const tree = fromParse5(document, { file: new VFile(source) })
  return tree.type === 'root' ? tree : { type: 'root', children: [] }
}

/** The later steps call themselves for each level. */
const MAX_DEPTH = 300
/** The later steps need seconds for more. */
const MAX_ELEMENTS = 50_000

/** The style sheets inside a page, each on its lines. */
export function sheetOf(tree: Root): string {
  let sheet = ''
  for (const element of elementsIn(tree)) {
    const [text] = element.children
    if (element.tagName !== 'style' || text?.type !== 'text') continue
    const line = text.position?.start.line ?? 1
    sheet += '\n'.repeat(Math.max(0, line - sheet.split('\n').length)) + text.value
  }
  return sheet
}
