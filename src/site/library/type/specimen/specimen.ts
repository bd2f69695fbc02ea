import type { BrandFile } from '../../../../brand/file.ts'
import { type Guide, pathBelow } from '../../../guide/guide.ts'
import { type Html, html, type Word } from '../../../html.ts'
import { featureTable } from './feature-table.ts'
import { fontRights } from './font-rights.ts'
import { glyphGrid } from './glyph-grid.ts'
import type { ShownFamily } from './shown-families.ts'
import { familyClass } from './specimen-classes.ts'
import { weightList } from './weight-list.ts'

/** The characters that all families of a page show, divided equally among them. */
const MAX_CHARACTERS = 12_000

/** A font family on a page: an editable line, its fonts, features, characters, rights and files. */
export function specimen(
  guide: Guide,
  family: ShownFamily,
  families: number,
  addressOf: (file: BrandFile) => string,
): Html {
  const { name, number, facts } = family
  const { words } = guide
  const id = `try-${number}`
  return html`<section class="specimen"><h3>${name}</h3>
<div class="try"><p class="${familyClass(number)}" id="${id}" contenteditable="plaintext-only" role="textbox" aria-label="${words.specimen.write(name)}" spellcheck="false" translate="no">${name}</p>
<p class="rail">${slider(id, 'fontSize', words.type.size, [12, 160, 1, 48], 'px')}${slider(id, 'lineHeight', words.type.leading, [0.8, 2, 0.05, 1.2])}</p></div>
<p class="letters ${familyClass(number)}" translate="no">${LETTERS.map(line => html`<span>${line}</span> `)}</p>
${weightList(words, family, addressOf)}${featureTable(words, family)}${glyphGrid(words, family, Math.floor(MAX_CHARACTERS / families))}${facts && fontRights(words, facts)}${download(guide, family)}</section>
`
}

const LETTERS = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789 & ! ? ( ) “ ”']

type Range = readonly [min: number, max: number, step: number, value: number]

/** A slider that sets a property of the editable line (`specimen.js`). */
function slider(id: string, property: string, label: Word, [min, max, step, value]: Range, unit = ''): Html {
  return html`<label>${label} <input type="range" min="${min}" max="${max}" step="${step}" value="${value}" data-sets="${property}" data-unit="${unit}" aria-controls="${id}"></label>`
}

/** The files of the family on the page, as an archive. */
function download(guide: Guide, { cuts }: ShownFamily): Html | undefined {
  const files = cuts.flatMap(({ faces }) => faces.map(({ file }) => file))
  if (files.length < 2 || files.length > MAX_FILES) return undefined
  const query = new URLSearchParams(files.map(({ path }) => ['path', path]))
  return html`<p><a class="button" href="${pathBelow(guide, 'files.zip')}?${query.toString()}" download>${guide.words.specimen.download(files.length)}</a></p>\n`
}

/** Limits the length of the address and the number of files in the archive. */
const MAX_FILES = 50
