import type { Color } from '#brand/color.ts'
import { contrastOf } from '#brand/styles/contrast.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type ColorList, colorIn, colorList } from '../../guide/color-list.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { attribute, type Html, html, type Word } from '../../html.ts'
import { sectionTrail } from '../../layout/head.ts'
import { guidePage } from '../../layout/layout.ts'
import { guideText } from '../../texts/agent-texts.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import { compareColors } from './contrast-view.ts'

/** The page of two colours, which a query chooses; undefined if one does not exist or the guide has fewer. */
export async function pairView(guide: Guide, query: string): Promise<Representation | undefined> {
  const { words } = guide
  const list = await colorList(guide)
  const params = new URLSearchParams(query)
  const defaultPair = await firstPair(guide, list)
  const text = colorIn(list, params.get('text') ?? defaultPair?.text.id)
  const ground = colorIn(list, params.get('ground') ?? defaultPair?.ground.id)
  if (!defaultPair || !text || !ground) return undefined
  const head = html`${sectionTrail(guide, 'colors')}<h1>${words.colors.tryPair}</h1>
`
  const main = html`${await pairPicker(guide, list, { text, ground }, true)}<p class="quiet color-note">${words.colors.wcag}</p>`
  // `contrast/ink/paper.css` paints the sample.
  const sheet = `contrast/${[text, ground].map(({ id }) => encodeURIComponent(id)).join('/')}.css`
  return guidePage(guide, {
    title: `${words.colors.tryPair}`,
    kind: 'colors',
    below: '/-/contrast',
    query,
    head,
    main,
    sheets: [pathBelow(guide, sheet)],
  })
}

/**
 * The style sheet that paints the sample of a pair, named `ink/paper`; undefined if a colour does not exist. Without a
 * script nothing else can: the policy of pages forbids style attributes, and text in an SVG does not wrap.
 */
export async function pairSheet(guide: Guide, name: string): Promise<Representation | undefined> {
  const list = await colorList(guide)
  const [text, ground, ...rest] = name.split('/').map(id => colorIn(list, id))
  if (!text || !ground || rest.length > 0) return undefined
  return guideText(guide, `.pair-sample{background:${ground.hex};color:${text.hex}}\n`, 'text/css')
}

type Pair = { text: Color; ground: Color }

/** The first pair: the theme's, else one that the project recommends, else the first colour on the one furthest from it. */
export async function firstPair({ publication }: Guide, list: ColorList): Promise<Pair | undefined> {
  const { theme } = await publication.content.appearance()
  const { inRow } = list
  const [first, ...others] = inRow.slice(0, MAX_OPTIONS).map(({ color }) => color)
  const letters = inRow.find(({ color }) => color.on !== undefined)?.color
  const pairs = [
    [colorIn(list, theme?.text), colorIn(list, theme?.ground)],
    [letters, colorIn(list, letters?.on?.[0])],
    [first, first && compareColors(others, first)[0]?.letters],
  ] as const
  for (const [text, ground] of pairs) if (text && ground && text !== ground) return { text, ground }
  return undefined
}

/**
 * A form that chooses two colours, with a sample in them and the levels of their contrast, which a script keeps up to
 * date. Without it, only the page of a pair shows them, by its style sheet; a copy in a folder has no such page.
 */
export async function pairPicker(guide: Guide, list: ColorList, pair: Pair, isOnOwnPage: boolean): Promise<Html> {
  const { colors, files } = guide.words
  const action = guide.site.copy ? undefined : pathBelow(guide, 'contrast')
  const choice = (name: keyof Pair, label: Word) =>
    html`<label>${label} <select name="${name}">${options(list, pair[name])}</select></label>\n`
  return html`<form class="picker${isOnOwnPage && ' shown'}"${attribute('action', action)}>
${!isOnOwnPage && html`<h2 id="picker">${colors.tryPair}</h2>\n`}<p>${choice('text', colors.pairText)}${choice('ground', files.uses.ground)}<button>${files.uses.show}</button></p>
${await sample(guide)}${verdicts(guide, pair)}</form>
`
}

/** All colours by group; of very many only the first ones, and the chosen one. */
function options({ inRow, places }: ColorList, chosen: Color): Html[] {
  const isChosenFar = (places.get(chosen.id) ?? 0) >= MAX_OPTIONS
  const listed = inRow.filter(({ color }, at) => at < MAX_OPTIONS || (isChosenFar && color === chosen))
  const byGroup = Map.groupBy(listed, ({ row }) => row.group)
  return Array.from(byGroup, ([group, entries]) => {
    const groupOptions = entries.map(
      ({ color: { id, hex, name } }) =>
        html`<option value="${id}" data-hex="${hex}"${id === chosen.id && html` selected`}>${name}</option>\n`,
    )
    return group.name === undefined
      ? html`${groupOptions}`
      : html`<optgroup label="${group.name}">${groupOptions}</optgroup>\n`
  })
}

const MAX_OPTIONS = 500

/** The samples of the theme's type styles, or of the first styles for large and small text, with a shape. */
async function sample({ publication, words }: Guide): Promise<Html> {
  const { heading, body } = await themeOf(publication)
  const types = await publication.content.types()
  const first = (isLarge: boolean) =>
    types.find(({ sample, size = 0 }) => sample !== undefined && size >= LARGE === isLarge)?.sample
  return html`<div class="pair-sample"><p class="tile-name">${heading?.sample ?? first(true) ?? words.type.largeSample}</p>
<p>${body?.sample ?? first(false) ?? words.type.sample}</p>
<svg viewBox="0 0 8 4" aria-hidden="true"><path d="M0 0h4v4H0zm6 0 2 4H4z"/></svg></div>
`
}

/** px: large text in WCAG 2.2. */
const LARGE = 24

function verdicts({ words: { colors, number } }: Guide, { text, ground }: Pair): Html {
  const contrast = contrastOf(text.hex, ground.hex)
  const minimum = (value: number) => number(value, Number.isInteger(value) ? 0 : 1)
  const items = USES.map(([use, aa, aaa]) => {
    const level = aaa !== undefined && contrast.ratio >= aaa ? 'AAA' : contrast.ratio >= aa ? 'AA' : 'fails'
    const needs = [`AA ≥ ${minimum(aa)}`, ...(aaa === undefined ? [] : [`AAA ≥ ${minimum(aaa)}`])].join(', ')
    return html`<span>${colors.uses[use]} <b data-aa="${aa}"${attribute('data-aaa', aaa)}>${colors.levels[level]}</b> <small class="quiet">${needs}</small></span>\n`
  })
  return html`<output class="verdicts" data-fails="${colors.levels.fails}"><span>${colors.ratio} <b>${number(Number(contrast.text), 2)}</b></span>
${items}</output>
`
}

/** Uses of a pair, with the minimum contrast for AA and AAA (WCAG 2.2 §1.4.3, §1.4.6 and §1.4.11, which has no AAA). */
const USES = [
  ['body', 4.5, 7],
  ['large', 3, 4.5],
  ['graphics', 3, undefined],
] as const
