import assert from 'node:assert/strict'
import test from 'node:test'
import { isPlaceholder } from '#brand/placeholder.ts'

const PLACEHOLDERS =
  'n/a|N/A|n.a.|#N/A|(none)|[tbd]|TBD|To be confirmed|-| – |—|−|--|?|…|/|x|XX|(x)|PMS -|PANTONE® n/a|keine|k. A.|entfällt|aucun|à définir|ninguno|n/d|por confirmar|nessuno|da definire|nenhum|não se aplica|geen|n.v.t.|なし|未定|Ｎ／Ａ|لا يوجد|미정'
for (const text of PLACEHOLDERS.split('|'))
  test(`${text} says that there is no value`, () => assert.ok(isPlaceholder(text)))

for (const text of '| |.|%|0|285 C|Black|PANTONE|HKS 13 K|xe|Xenon|#000|Warm Red|Nana'.split('|'))
  test(`${JSON.stringify(text)} may be a value`, () => assert.ok(!isPlaceholder(text)))
