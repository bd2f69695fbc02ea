import assert from 'node:assert/strict'
import test from 'node:test'
import { COLOR_FIELDS } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { FILE_FIELDS } from '#brand/file.ts'
import { TYPE_FIELDS } from '#brand/type-style.ts'
import { nearest } from '#intake/yaml/nearest.ts'
import { COMMANDS } from '#program/cli/commands.ts'

const words = ['name', 'hex', 'contentType', 'small-caps', 'uppercase']
const cases: [written: string, meant: string | undefined][] = [
  ['nmae', 'name'],
  ['Name', 'name'],
  ['hexx', 'hex'],
  ['content_type', 'contentType'],
  ['contenttype', 'contentType'],
  ['smallcaps', 'small-caps'],
  ['upper', 'uppercase'],
  ['n', undefined],
  ['', undefined],
  ['opacity', undefined],
  ['x'.repeat(1_000_000), undefined],
]
for (const [written, meant] of cases)
  test(`the suggestion for ${JSON.stringify(written.slice(0, 20))} is ${meant}`, () =>
    assert.equal(nearest(written, words), meant))

test('an empty list of words gives no suggestion', () => assert.equal(nearest('name', []), undefined))

const tables = {
  'a colour': keysOf(COLOR_FIELDS),
  'a type style': keysOf(TYPE_FIELDS),
  'a file': keysOf(FILE_FIELDS),
  'the program': COMMANDS.map(({ name }) => name),
}
const synonyms: [of: keyof typeof tables, written: string, meant: string][] = [
  ['a colour', 'pantone', 'pms'],
  ['a colour', 'colour', 'hex'],
  ['a colour', 'usage', 'use'],
  ['a type style', 'font', 'family'],
  ['a type style', 'font-size', 'size'],
  ['a type style', 'letter-spacing', 'tracking'],
  ['a type style', 'letterSpacing', 'tracking'],
  ['a type style', 'line-height', 'leading'],
  ['a type style', 'text-transform', 'casing'],
  ['a file', 'caption', 'description'],
  ['the program', 'start', 'serve'],
  ['the program', 'run', 'serve'],
  ['the program', 'validate', 'check'],
  ['the program', 'preview', 'dev'],
  ['the program', 'watch', 'dev'],
  ['the program', 'ls', 'status'],
]
for (const [of, written, meant] of synonyms)
  test(`"${written}" suggests "${meant}" among ${of}`, () => assert.equal(nearest(written, tables[of]), meant))
