import { ENGLISH_ENDINGS } from './question-words.ts'
import { MAX_ENDING, wordsOf } from './words.ts'

/** The word forms of a language: the function that gives the stem of a word, and common endings. */
export type Stemmer = { stem: (word: string) => string; endings: Iterable<string> }

/**
 * Loads the stemmer of a language, a BCP 47 tag; for a language without one, that of English. Only indexing calls it:
 * an index links the forms of each stem. Searches compare words that a guide lacks by the endings of its language.
 */
export async function openStemmer(lang: string): Promise<Stemmer> {
  const { language } = new Intl.Locale(lang)
  const load = STEMMERS[language] ?? loadEnglish
  return { stem: (await load()).stemmer, endings: endingsOf(language) }
}

/** Collects the forms of words: their stems, and the endings that the stemmer removes. */
export function collectForms({ stem, endings }: Stemmer = { stem: word => word, endings: [] }) {
  const stems: string[] = []
  const removed = new Set(endings)
  return {
    /** Adds the next term, with a word as written that it was made from. */
    add: (term: string, written: string): void => {
      // Without invisible characters, such as soft hyphens.
      const visible = written.replace(/\p{DI}/gu, '')
      const wordStem = IS_WORD.test(visible) ? stem(visible.normalize('NFC').toLowerCase()) : ''
      // The stem in the form of terms. A number or a name, which has no stem, is its own.
      const foldedStem = wordsOf(wordStem)[0]?.term ?? term
      stems.push(foldedStem)
      const ending = term.startsWith(foldedStem) ? term.slice(foldedStem.length) : ''
      if (ending.length <= MAX_ENDING) removed.add(ending)
    },
    endings: () => [...removed],
    /**
     * For each term, the distance to the next one with its stem, modulo 2³²; from the last to the first. The terms `size`,
     * `small`, `sizes` have the steps 2, 0 and -2. `order` are the numbers in which the terms were added, in the order in
     * which an index has them.
     */
    steps: (order: readonly number[]): Uint32Array => {
      const steps = new Uint32Array(order.length)
      const placesByStem = Map.groupBy(order.keys(), place => stems[order[place] ?? 0])
      for (const places of placesByStem.values())
        for (const [index, place] of places.entries()) {
          const nextPlace = places[index + 1] ?? places[0] ?? place
          steps[place] = nextPlace - place
        }
      return steps
    },
  }
}

/** A word without digits. A name as one term begins with a space, so it is not one. */
const IS_WORD = /^[\p{L}\p{M}]+$/u

/** The common endings of words in a language, folded, and the empty ending; beginnings end with a hyphen. */
function endingsOf(language: string): Iterable<string> {
  // A language with a stemmer but no list here has only the endings that the stemmer removes.
  const list = ENDINGS[language] ?? (language in STEMMERS ? '' : undefined)
  return language === 'en' || list === undefined ? ENGLISH_ENDINGS : ['', ...list.split(' ')]
}

const loadEnglish = () => import('@orama/stemmers/english')
const loadNorwegian = () => import('@orama/stemmers/norwegian')

/** The stemmers of Snowball. */
const STEMMERS: Readonly<Record<string, () => Promise<{ stemmer: (word: string) => string }>>> = {
  ar: () => import('@orama/stemmers/arabic'),
  da: () => import('@orama/stemmers/danish'),
  de: () => import('@orama/stemmers/german'),
  el: () => import('@orama/stemmers/greek'),
  en: loadEnglish,
  es: () => import('@orama/stemmers/spanish'),
  fi: () => import('@orama/stemmers/finnish'),
  fr: () => import('@orama/stemmers/french'),
  ga: () => import('@orama/stemmers/irish'),
  hi: () => import('@orama/stemmers/indian'),
  hu: () => import('@orama/stemmers/hungarian'),
  hy: () => import('@orama/stemmers/armenian'),
  id: () => import('@orama/stemmers/indonesian'),
  it: () => import('@orama/stemmers/italian'),
  lt: () => import('@orama/stemmers/lithuanian'),
  nb: loadNorwegian,
  ne: () => import('@orama/stemmers/nepali'),
  nl: () => import('@orama/stemmers/dutch'),
  nn: loadNorwegian,
  no: loadNorwegian,
  pt: () => import('@orama/stemmers/portuguese'),
  ro: () => import('@orama/stemmers/romanian'),
  ru: () => import('@orama/stemmers/russian'),
  sr: () => import('@orama/stemmers/serbian'),
  sv: () => import('@orama/stemmers/swedish'),
  ta: () => import('@orama/stemmers/tamil'),
  tr: () => import('@orama/stemmers/turkish'),
}

const NORWEGIAN = 'a e en ene er ers et ets ene s t te'
/** For words that a guide lacks. An index adds the endings that its stemmer removes from words of the guide. */
const ENDINGS: Readonly<Record<string, string>> = {
  ar: 'ال- ب- بال- فال- كال- ل- لل- و- وال- ات ه ون ي يه ين',
  cs: 'a ach am ami e ech em ho i mi mu o ou u y ych ym',
  da: 'e en ene er erne es et n ne r s t te',
  de: 'e em en er ern es et n s st t te ten ung ungen',
  es: 'a ada ado ando ar as cion e er es ida ido iendo ir o os s',
  fa: 'ان ها هاي ي',
  fi: 'a en ia ien in issa ista ja ksi lla lle lta n na ssa sta t',
  fr: 'al ant ation aux e ee ees ent er es eur eurs euse ez ions l s u ux x',
  he: 'ב- ה- ו- כ- ל- מ- ש- ות ים',
  it: 'a ando are ata ate ati ato azion e endo ere he hi i ire o',
  ko: '가 과 는 도 들 로 를 만 와 은 을 의 이 에 까지 들은 들을 들의 들이 부터 에서 에는 으로 이다 입니다',
  nb: NORWEGIAN,
  nl: 'd de e en er ers ing ingen je jes s t te',
  nn: NORWEGIAN,
  no: NORWEGIAN,
  pl: 'a ach ami e ego ej em i ie om ow owi u y ych ym',
  pt: 'a ada ado ando ao ar as e endo er es indo ir is l m ns o oes os s',
  ru: 'а ам ами ах е еи ем и ие им их ов ого ои ом ому у ы ые ым ых ь ю я ям ями ях',
  sv: 'a an ar arna as de en er erna et n na or orna s t',
  tr: 'da dan de den i in lar lari ler leri u un',
  uk: 'а ам ами ах е ею и ии им их і ів іи ого оі ом ому ою у ь ю я ям ями ях',
}
