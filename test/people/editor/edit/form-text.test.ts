import assert from 'node:assert/strict'
import test from 'node:test'
import { sentTexts } from '#people/editor/edit/form-parts.ts'
import { textOfForm } from '#people/editor/edit/form-text.ts'
import { openText } from '#people/editor/source/edited-text.ts'
import { wordsFor } from '#site/words/words.ts'

const COLORS = '- name: Ink\n  hex: "#14212b"\n- name: Sand\n  hex: beige\n'

test('an error of the text before blocks no change of other lines, and the same error on another line is told', () => {
  const save = (fields: Record<string, string>) =>
    textOfForm(
      wordsFor(),
      { kind: 'colors', opened: openText('colors', COLORS), sent: sentTexts(new URLSearchParams(fields)) },
      COLORS,
    )
  const named = save({ '/items/0/name': 'Night' })
  assert.equal(named.ok && named.value, COLORS.replace('Ink', 'Night'))
  const wrong = save({ '/items/0/hex': 'blue' })
  assert.deepEqual(!wrong.ok && [...(wrong.problem.problems?.keys() ?? [])], ['/items/0/hex'])
})
