import { anyOf, wordsIn } from '#platform/base/text.ts'

/**
 * Whether a text says that a number, a colour or an ink has no value, in any language of the website: `n/a`, `–`, `tbd`,
 * `keine`, also behind the name of a system, as in `PMS -`. Names and words are never asked.
 */
export function isPlaceholder(text: string): boolean {
  const value = text.length <= MAX_LENGTH ? text.replace(SYSTEM, '').trim() : ''
  const word = plainWord(value)
  const saysNothing = SIGNS.test(word) || NOTHING.has(stemOf(word)) || SAYINGS.some(each => each.test(plain(value)))
  return value !== '' && saysNothing
}

/** A longer text is a value, whatever it says. */
const MAX_LENGTH = 40

const SYSTEMS = wordsIn('pantone, pms, hks, ral, ncs, cmyk, rgb, hex')
const SYSTEM = new RegExp(String.raw`^\s*${anyOf(SYSTEMS)}[®™]?[\s:]+(?=\S)`, 'i')

/** The letters and digits of a text, without accents. */
export function plainWord(text: string): string {
  return plain(text).replace(/[^\p{L}\p{N}]/gu, '')
}

function plain(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').normalize()
}

/** A word without the ending that its gender and number give it: `défini` and `définies`, `kein` and `keine`. */
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?<![aeio])[aeio]+[mnrs]?$|s$/, '') : word
}

const WORDS =
  wordsIn(`na, none, nil, null, nan, undefined, unknown, unset, unspecified, unavailable, empty, blank, absent, tbd,
  tba, tbc, wip, work in progress, in progress, todo, pending, missing, kein, keine, k.A., n.v., n. bek., n. def., entfällt,
  unbekannt, unbestimmt, folgt, fehlt, leer, offen, in Arbeit, in Bearbeitung, in Vorbereitung, in Klärung, aucun, néant,
  s.o., n.d., n.c., indisponible, inconnu, indéfini, indéterminé, manquant, vide, vides, en attente, en cours,
  ningún, desconocido, pendiente, indefinido, vacío, ausente, falta, nada, en espera, en proceso, en curso, s/d,
  nessun, sconosciuto, indefinito, assente, mancante, vuoto, in attesa, in corso, in lavorazione, nenhum, desconhecido,
  indisponível, vazio, em falta, em espera, em andamento, geen, n.v.t., onbekend, onbepaald, ontbreekt, volgt, leeg,
  n.t.b., n.n.b., in behandeling, in bewerking, 無, 无, 空, 空白, 空欄, 不明, 不詳, 不适用, 不適用, 没有, 沒有, لاحقا, فارغ, 미정, 없음, 미지정`)

const NOTHING: ReadonlySet<string> = new Set(WORDS.map(word => stemOf(plainWord(word))))
/** A word without letters and digits, or with those that stand for signs. */
const SIGNS = /^(?:ー*|x+)$/
/** Words that deny or announce what follows them. */
const NEGATIONS =
  wordsIn(`no, not, non, nicht, noch, pas, aucun, aucune, ningun, ninguna, ninguno, nessun, nessuna, nessuno,
  nao, nenhum, nenhuma, niet, nog, geen, to, غير, لا, لم, ليس, قيد`)
const WITHOUT = wordsIn('without, ohne, sans, sin, senza, sem, zonder, بدون')
/** Work that is not done: in preparation, under discussion, to be confirmed, adjusted or made. */
const UNDER_WAY = wordsIn('準備, 検討, 確認, 調整, 作成')
/** Forms of *none*, which is also 없음 in Korean. */
const ABSENT = wordsIn('なし, 無し, ナシ, 없음')
/** Errors of spreadsheets, negations and announcements without a digit, and Japanese and Chinese forms of both. */
const SAYINGS = [
  // #NAME?, #DIV/0!
  /^#(?:[\p{L}_]+|div\/0)[!?]$/u,
  // noch nicht festgelegt, keine Angabe
  new RegExp(String.raw`^(?:${anyOf(NEGATIONS)}|kein\p{L}*)\s\P{N}+$`, 'u'),
  // sans objet
  new RegExp(String.raw`^${anyOf(WITHOUT)}(?:\s\P{N}+)?$`, 'u'),
  // da definire, por definir, a definir
  /^(?:a|por|da)\s\p{L}+[aei]re?$/u,
  // 未定, 暂无, 待定; not 未来 (future)
  /^(?:未(?![来來])|[暂暫][无無]|待[定确確补補填])\P{N}*$/u,
  // 指定なし, 準備中
  new RegExp(`(?:${anyOf(ABSENT)}|${anyOf(UNDER_WAY)}中)$`, 'u'),
]
