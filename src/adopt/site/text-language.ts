import { addTo } from '#platform/base/object.ts'

/** The language of texts by its frequent words; undefined if it is unknown, not sure, or there is hardly any text. */
export function textLanguage(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  const text = texts.join('\n').slice(0, MAX_TEXT).toLowerCase()
  for (const [word] of text.matchAll(WORD)) for (const { lang } of LANGUAGES_OF.get(word) ?? []) addTo(counts, lang, 1)
  for (const [lang, letters] of SCRIPTS) addTo(counts, lang, text.match(letters)?.length ?? 0)
  const [[lang, most] = NONE, [, next] = NONE] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most >= Math.max(MIN_WORDS, 2 * next) ? lang : undefined
}

const NONE = ['', 0] as const
const MAX_TEXT = 500_000
const MIN_WORDS = 8
const WORD = /\p{L}+/gu

/** The languages of scripts without spaces or with one language, and letters that similar ones do not have. */
const SCRIPTS = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]{2}/gu],
  ['zh', /[的是和不在为色]/g],
  ['ko', /\p{sc=Hangul}{2}/gu],
  ['th', /\p{sc=Thai}{2}/gu],
  ['he', /\p{sc=Hebrew}{2}/gu],
  ['el', /\p{sc=Greek}{2}/gu],
  ['uk', /[іїєґ]/g],
  ['ru', /[ыэъё]/g],
] as const

/** Frequent words of languages, hardly any of which another one in the table has. */
const FREQUENT: Readonly<Record<string, string>> = {
  ar: 'من في على إلى أن هذا',
  cs: 'je se že jako není jsou nebo pro',
  da: 'af ikke hvad efter mere',
  de: 'und der das ist nicht mit für auf wird',
  en: 'the of and with is this that for are',
  es: 'los las del el más muy como pero una',
  et: 'ning või kui oma ka mis seda',
  fi: 'että tai ovat sekä myös joka tämä',
  fr: 'les est dans une avec sont cette nous aux',
  id: 'dan yang untuk dengan ini tidak',
  it: 'il gli della sono che questo nella per',
  nb: 'av ikke hva etter mer',
  nl: 'het een van zijn niet voor wordt',
  pl: 'jest nie się oraz dla przez',
  pt: 'não uma os das são em dos você',
  ru: 'и что это как для не на',
  sv: 'och är för att inte som på',
  tr: 've bir için bu ile olarak',
  uk: 'і що це як для не на',
}

const LANGUAGES_OF = Map.groupBy(
  Object.entries(FREQUENT).flatMap(([lang, words]) => words.split(' ').map(word => ({ lang, word }))),
  ({ word }) => word,
)
