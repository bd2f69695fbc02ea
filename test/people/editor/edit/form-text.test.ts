import assert from 'node:assert/strict'
import test from 'node:test'
import { sentTexts } from '#people/editor/edit/form-parts.ts'
import { textOfForm } from '#people/editor/edit/form-text.ts'
import { openText } from '#people/editor/source/edited-text.ts'
import { wordsFor } from '#site/words/words.ts'

const COLORS = '- name: Ink\n  hex: "#14212b"\n- name: Sand\n  hex: beige\n'
const PROJECT = 'name: Acme\ntheme:\n  accent: red\n'

function save(kind: 'colors' | 'project', text: string, fields: Record<string, string>) {
  const form = { kind, opened: openText(kind, text), sent: sentTexts(new URLSearchParams(fields)) }
  const saved = textOfForm(wordsFor(), form, text, { colors: [], types: [], files: [], pages: [] })
  return saved.ok ? saved.value : [...(saved.problem.problems?.keys() ?? [])]
}

test('an error of the text before blocks no change of other lines, and the same error on another line is told', () => {
  assert.equal(save('colors', COLORS, { '/items/0/name': 'Night' }), COLORS.replace('Ink', 'Night'))
  assert.deepEqual(save('colors', COLORS, { '/items/0/hex': 'blue' }), ['/items/0/hex'])
})

test('settings that name a colour or file that the guide does not have are told at their fields', () => {
  assert.equal(save('project', PROJECT, { '/name': 'Acme Ltd' }), PROJECT.replace('Acme', 'Acme Ltd'))
  assert.deepEqual(save('project', PROJECT, { '/theme/accent': 'vermillion' }), ['/theme/accent'])
  assert.deepEqual(save('project', PROJECT, { '/theme/logo': 'files/none.svg' }), ['/theme/logo'])
})
