import assert from 'node:assert/strict'
import test from 'node:test'
import { isPlaceholder } from '#brand/placeholder.ts'

const PLACEHOLDERS = [
  'n/a|N/A|n.a.|#N/A|(none)|[tbd]|TBD|To be confirmed|to come|to follow|not yet|empty|NaN|unset|PMS -|PANTONE® n/a',
  '-| – |—|−|--|?|…|/|.|x|XX|xxxx|(x)|∅|•|✗|%|#|ー|"',
  '#REF!|#VALUE!|#DIV/0!|#NAME?|#WERT!|#NOMBRE?',
  'keine|keinen|k. A.|n. bek.|entfällt|nicht zutreffend|nicht festgelegt|noch offen|noch zu klären|in Arbeit|ohne|ohne Angabe',
  'aucun|aucunes|à définir|n.c.|NC|non défini|non définie|non définies|vide|en attente|pas de valeur|sans objet',
  'ninguno|ningún|n/d|por confirmar|sin definir|sin datos|no procede|pendientes|desconocida',
  'nessuno|da definire|da stabilire|assente|assenti|non assegnato|senza valore',
  'nenhum|nenhuma|não se aplica|sem valor|indisponível|a confirmar|em falta',
  'geen|n.v.t.|geen waarde|niet bekend|nog niet bekend|zonder',
  'なし|ナシ|未定|未記入|未指定|該当なし|該当無し|準備中|不明',
  '无|不适用|不適用|未知|没有|未定义|暂无|待定|待确认',
  'لا يوجد|غير محدد|غير معروفة|بدون|بدون قيمة|قيد الإعداد|미정|없음|해당 없음',
].join('|')

const VALUES =
  '| |0|285 C|Black|PANTONE|HKS 13 K|xe|Xenon|#000|#f0f!|Warm Red|Nana|Non-photo Blue|No. 5|Nothern Light|Sinopia|Tomato|Ohnesorg|Not 12|金赤|未来色|不透明白|Reflex Blue C|Process Black|A Red|Noir'

test('each usual word for no value, in any language, is none, and a name like it may be a value', () => {
  const seen = PLACEHOLDERS.split('|').filter(text => !isPlaceholder(text))
  assert.deepEqual(seen, [])
  assert.deepEqual(VALUES.split('|').filter(isPlaceholder), [])
})
