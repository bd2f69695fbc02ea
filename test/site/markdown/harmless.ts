import assert from 'node:assert/strict'
import type { Element } from 'hast'
import { elementsOf } from '#site/markdown/hast.ts'
import { parsedHtml } from './parsed-html.ts'

const ELEMENTS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p blockquote pre hr br wbr div span section ul ol li dl dt dd details summary figure figcaption ' +
    'input table caption colgroup col thead tbody tfoot tr th td a abbr b bdi bdo cite code del dfn em i ins kbd mark ' +
    'q s samp small strong sub sup time u var ruby rt rp img video audio source track svg path button'
  ).split(' '),
)

const ATTRIBUTES = new Set(
  (
    'id title lang dir ariaLabel ariaDescribedBy ariaLabelledBy className href name rel dataFootnoteRef ' +
    'dataFootnoteBackref dataFootnotes align vAlign colSpan rowSpan scope abbr span start reversed type value ' +
    'disabled checked open dateTime cite src alt width height loop muted kind label srcLang default role tabIndex ' +
    'loading decoding controls preload dataClose viewBox dataCopy ariaHidden d fillRule fill'
  ).split(' '),
)

const CLASS =
  /^(?:fit|long|word-\d+|code|copy|comment|string|key|sign|chip|callout|note|tip|important|warning|caution|tabs|judged|labelled|do|dont|ground-[a-z-]+|picture|enlarge|pictures|texts|columns|columns-[2-6]|full|wide|split|band|statement|compare|drawing|photo|small|only-light|only-dark|anchor|table|footnotes|data-footnote-backref|contains-task-list|task-list-item|notice|language-\S+)$/

/** Fails unless a browser finds only allowed elements in this HTML, and loads only local content. */
export function assertHarmless(html: string, from: string): void {
  const tree = parsedHtml(html)
  assert.equal(JSON.stringify(tree).includes('"type":"comment"'), false, from)
  for (const element of elementsOf(tree)) assertHarmlessElement(element, `${from}\n→ ${html}`)
}

function assertHarmlessElement({ tagName, properties }: Element, message: string): void {
  assert.ok(ELEMENTS.has(tagName), `<${tagName}> in ${message}`)
  for (const [name, value] of Object.entries(properties)) {
    assert.ok(ATTRIBUTES.has(name), `${name} in ${message}`)
    const texts = Array.isArray(value) ? value.map(String) : [String(value)]
    if (name === 'className') for (const text of texts) assert.match(text, CLASS, message)
    for (const text of texts) if (ADDRESSES.has(name)) assertHarmlessAddress(name, text, message)
    if (name === 'name') assert.match(String(value), /^user-content-/, message)
  }
  const isTask = properties.type === 'checkbox' && properties.disabled === true
  if (tagName === 'input') assert.ok(isTask || properties.type === 'range', message)
}

const ADDRESSES = new Set(['href', 'src', 'cite'])

/** Resolves an address as a browser does on a page of the website. */
function assertHarmlessAddress(name: string, address: string, message: string): void {
  if (!URL.canParse(address, 'https://ours.example/w/p')) return
  const url = new URL(address, 'https://ours.example/w/p')
  assert.match(url.protocol, /^(?:https?|mailto|tel):$/, message)
  if (name === 'src') assert.equal(url.origin, 'https://ours.example', message)
}
