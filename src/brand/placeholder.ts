/**
 * Whether a text says that a number, a colour or an ink has no value, in any language of the website: `n/a`, `–`, `tbd`,
 * `keine`, also behind the name of a system, as in `PMS -`. Names and words are never asked.
 */
export function isPlaceholder(text: string): boolean {
  const own = text.length <= 40 ? text.replace(SYSTEM, '').trim() : ''
  return SIGNS.test(own) || NOTHING.has(plainWord(own))
}

const SYSTEM = /^\s*(?:pantone|pms|hks|ral|ncs|cmyk|rgb|hex)[®™]?[\s:]+(?=\S)/i

/** The letters and digits of a text, without accents. */
export function plainWord(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const WORDS = `na, not applicable, not available, none, nil, null, undefined, unknown, tbd, tba, tbc, to be defined,
  to be determined, to be confirmed, todo, pending, missing, no value, kein, keine, keiner, keines, keins, k.A., n.v.,
  keine Angabe, entfällt, unbekannt, folgt, fehlt, nicht vorhanden, nicht verfügbar, nicht definiert, offen, aucun,
  aucune, néant, sans objet, s.o., n.d., non disponible, non défini, non applicable, inconnu, à définir, à confirmer,
  à venir, ninguno, ninguna, no aplica, no disponible, no definido, desconocido, pendiente, por definir, por confirmar,
  sin valor, s/d, nessuno, nessuna, non disponibile, non applicabile, non definito, sconosciuto, da definire,
  da confermare, nenhum, nenhuma, não se aplica, não aplicável, não disponível, não definido, desconhecido, pendente,
  a definir, a confirmar, geen, n.v.t., niet van toepassing, niet beschikbaar, onbekend, nog te bepalen, n.t.b., n.n.b.,
  volgt, なし, 無し, 無, 未定, 不明, 未設定, 該当なし, لا يوجد, لا شيء, غير متوفر, غير متاح, غير محدد, غير معروف, لا ينطبق,
  لاحقا, 미정, 없음, 无, 暂无, 待定`

const NOTHING: ReadonlySet<string> = new Set(WORDS.split(',').map(plainWord))
const SIGNS = /^(?!\.$)(?:[\p{Pd}−/?.…*_~·()[\]<>\s]+|[([<]?x{1,3}[)\]>]?)$/iu
