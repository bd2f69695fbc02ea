import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Ajv } from 'ajv'
import axe from 'axe-core'
import { parse } from 'yaml'
import { accessibilityYaml, axeRules, clauseOf, JUDGEMENTS, OMITTED, PROOFS } from './accessibility-report.ts'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const FIXTURE = 'test/fixtures/openacr-0.1.0'
const proofs = [...PROOFS]
const judgements = Object.entries(JUDGEMENTS)

type Criterion = { id: string; components: string[] }
const chapters: { id: string; criteria?: Criterion[] }[] = parse(textOf(`${FIXTURE}/catalog.yaml`)).chapters

test('every test that the accessibility report names exists', () => {
  const missing = proofs.filter(([, { file, title }]) => !titlesIn(textOf(file)).includes(title))
  assert.deepEqual(missing, [])
})

test('every named test proves a line of the accessibility report, which names no other', () => {
  const used = judgements.flatMap(([, judgement]) => judgement.proofs)
  const seen = used.filter(id => !PROOFS.has(id))
  assert.deepEqual(seen, [])
  const unexpected = proofs.map(([id]) => id).filter(id => !used.some(each => each === id))
  assert.deepEqual(unexpected, [])
})

test('the accessibility report supports a criterion, wholly or partially, exactly if it names a test', () => {
  for (const [num, { level, proofs, remark }] of judgements) {
    assert.equal(proofs.length > 0, level === 'supports' || level === 'partially-supports', num)
    assert.match(remark, /^\S.*\.$/, num)
  }
})

test('the accessibility report relies only on axe for no criterion without a rule of axe', () => {
  const withoutRule = judgements
    .filter(([, { proofs }]) => proofs.length > 0 && proofs.every(id => id.startsWith('axe-')))
    .filter(([num]) => axeRules(num).length === 0)
  assert.deepEqual(withoutRule, [])
})

test('the accessibility report has each criterion of WCAG 2.2 A and AA, and only lines of its catalogue', () => {
  const judged = chapters.filter(({ id }) => OMITTED[id] === undefined)
  const known = judged.flatMap(({ criteria = [] }) => criteria.map(({ id }) => id))
  const wcag = judged
    .filter(({ id }) => /^success_criteria_level_a{1,2}$/.test(id))
    .flatMap(({ criteria = [] }) => criteria.map(({ id }) => id))
  assert.equal(wcag.length, 56)
  const unexpected = wcag.filter(num => JUDGEMENTS[num] === undefined)
  assert.deepEqual(unexpected, [])
  const others = judgements.map(([num]) => num).filter(num => !known.includes(num))
  assert.deepEqual(others, [])
  const left = Object.keys(OMITTED).filter(omitted => !chapters.some(({ id }) => id === omitted))
  assert.deepEqual(left, [])
})

test('each success criterion has the clause of EN 301 549 that axe names for it', () => {
  for (const { tags } of axe.getRules(['EN-301-549', 'EN-301-549v4']))
    for (const tag of tags.filter(each => each.startsWith('EN-9.'))) {
      const num = tag.replace('EN-9.', '')
      assert.ok(tags.includes(`wcag${num.replaceAll('.', '')}`), tag)
      assert.equal(`EN-${clauseOf(num)}`, tag)
    }
  assert.deepEqual(['2.4.11', '4.1.1', '7.1.1', '11.8.2'].map(clauseOf), [
    '9.2.4.11',
    '9.4.1.1 (void)',
    '7.1.1',
    '5.10.2',
  ])
})

test('the accessibility report fits the schema of OpenACR', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(textOf(`${FIXTURE}/schema.json`)))
  assert.ok(validate(parse(accessibilityYaml())), JSON.stringify(validate.errors))
})

/** The titles of tests in a source text, with `…` for each part that differs in a loop. */
function titlesIn(source: string): string[] {
  const plain = source.replace(/\$\{[^}]*\}/g, '…')
  const titles = Array.from(plain.matchAll(/\btest\(\s*(['"`])((?:(?!\1).)+)\1/g), ([, , title = '']) => title)
  // A golden file has a test for each of its keys.
  const golden = plain.matchAll(/\bgolden\('([^']+)'/g)
  const keys = Array.from(golden, ([, name]) => Object.keys(parse(textOf(`test/fixtures/golden/${name}.yaml`))))
  return [...titles, ...keys.flat()]
}
