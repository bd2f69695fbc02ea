import { inSteps } from '../../base/steps.ts'
import type { AssetName, Assets } from '../assets.ts'
import type { Html } from '../html.ts'

/** The paths of the style sheets of what the content of a page has, and not every page. They come before its others. */
export async function partSheets(assets: Assets, { text }: Html): Promise<string[]> {
  return (await inSteps(PARTS, ([name, mark]) => (mark.test(text) ? [assets.path(name)] : []))).flat()
}

const PARTS = [
  ['trail.css', /<nav class="trail"/],
  ['tables.css', /<table/],
  ['labelled.css', /<table class="judged labelled"/],
  ['code.css', /<code|<pre|class="copy"/],
  ['rare.css', /<(?:blockquote|hr|kbd|h5|h6)\b|task-list|data-footnotes|<(?:video|audio)\b/],
  ['specimens.css', /<li class="(?:specimen|player)\b/],
  ['thumbs.css', /class="thumb\b/],
  ['faces.css', /class="face"/],
  ['cells.css', /class="cell"/],
  ['exports.css', /class="tools"/],
  ['schemes.css', /only-(?:dark|light)/],
] as const satisfies readonly (readonly [AssetName, RegExp])[]
