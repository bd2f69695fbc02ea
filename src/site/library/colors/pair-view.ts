import { isStyleId } from '../../../brand/ids.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { html } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { guideText } from '../../texts/guide-text.ts'
import { type ColorList, colorIn, colorList } from './color-list.ts'
import { firstPair, type Pair, pairPicker } from './pair-picker.ts'

/** The page of two colours, which a query chooses; undefined if one does not exist or the guide has fewer. */
export async function pairView(guide: Guide, query: string): Promise<Representation | undefined> {
  const { words } = guide
  const list = await colorList(guide)
  const given = new URLSearchParams(query)
  const usual = await firstPair(guide, list)
  const text = chosenColor(list, given.get('text') ?? usual?.text.id)
  const ground = chosenColor(list, given.get('ground') ?? usual?.ground.id)
  if (!usual || !text || !ground) return undefined
  const pair = { text, ground }
  const main = html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol><li><a href="${pathBelow(guide, 'colors')}">${words.sections.colors}</a></li></ol></nav>
<h1>${words.colors.tryPair}</h1>
${await pairPicker(guide, list, pair, true)}<p class="quiet color-note">${words.colors.wcag}</p>`
  const title = `${words.colors.tryPair}`
  return guidePage(guide, { title, below: '/-/contrast', query, main, sheets: [pairSheetPath(guide, pair)] })
}

function chosenColor(list: ColorList, id: string | undefined): Pair['text'] | undefined {
  return id !== undefined && isStyleId(id) ? colorIn(list, id) : undefined
}

function pairSheetPath(guide: Guide, { text, ground }: Pair): string {
  return `${pathBelow(guide, 'contrast')}/${[text, ground].map(({ id }) => encodeURIComponent(id)).join('/')}.css`
}

/** The style sheet that paints the sample of a pair, named `ink/paper`; undefined if a colour does not exist. */
export async function pairSheet(guide: Guide, name: string): Promise<Representation | undefined> {
  const list = await colorList(guide)
  const [text, ground, ...rest] = name.split('/').map(id => chosenColor(list, id))
  if (!text || !ground || rest.length > 0) return undefined
  return guideText(guide, `.pair-sample{background:${ground.hex};color:${text.hex}}\n`, 'text/css')
}
