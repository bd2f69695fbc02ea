import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { VFile } from 'vfile'
import { type HtmlLimits, parseHtml, parseHtmlFragment } from './parse-html.ts'

/**
 * Parses an HTML document, or a part of one, into a tree of hast.
 *
 * @throws {HtmlTooLarge} if it passes a limit
 */
export function parseHtmlTree(source: string, limits: HtmlLimits, isFragment = false): Root {
  const document = (isFragment ? parseHtmlFragment : parseHtml)(source, { limits })
  const tree = fromParse5(document, { file: new VFile(source), verbose: true })
  return tree.type === 'root' ? tree : { type: 'root', children: [] }
}
