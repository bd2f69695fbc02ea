import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The call that shows that a vector ran. */
const CALL = 'alert(1)'

type Parts = Readonly<Record<'events' | 'elements' | 'schemes' | 'scripts', readonly string[]>>
const { events, elements, schemes, scripts }: Parts = attacks('scripts')

/** Markdown that tries to run a script, in every form of it that is known; each calls `alert`. */
export const XSS_VECTORS: readonly string[] = [
  ...scripts.map(vector => vector.replaceAll('CALL', CALL)),
  ...events.map(event => `<img src=x on${event}=${CALL} tabindex=0>`),
  ...elements.map(element => `<${element} onload=${CALL} onerror=${CALL} onfocus=${CALL} onclick=${CALL}>x`),
  ...schemes.map(scheme => `<a href="${scheme}${CALL}">x</a>`),
  ...schemes.map(scheme => `[x](<${scheme.replace('\n', '')}${CALL}>)`),
]

/** The known attacks in a file of test/fixtures/attacks, by kind. */
export function attacks<Kind extends string>(name: string): Record<Kind, string[]> {
  return parse(readFileSync(join(import.meta.dirname, `../fixtures/attacks/${name}.yaml`), 'utf8'))
}
