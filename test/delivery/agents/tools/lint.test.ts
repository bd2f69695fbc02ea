import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { SCOPES, type Scope } from '#brand/contract/operations.ts'
import type { LintInput, Reader } from '#delivery/agents/tools/tool.ts'
import { TOOLS } from '#delivery/agents/tools/tools.ts'
import type { LintFinding } from '#delivery/lint/finding.ts'
import { failed, ok } from '#platform/base/result.ts'
import { agentTools } from '../../../support/agent-tools.ts'
import { publishedStore } from '../../../support/temporary-store.ts'

const { store } = await publishedStore('acme/guidelines', { 'guidelines/pages/index.md': '# Home\n' })

const NEAR: LintFinding = {
  severity: 'warning',
  rule: 'color-near',
  path: '',
  line: 2,
  column: 8,
  text: 'color: #cc3a07',
  found: '#cc3a07',
  nearest: 'vermilion',
  write: '#cc3a06',
  guide: 'color',
  deltaE: 0.12,
  message: 'This colour is almost Vermilion.',
  count: 3,
  value: '#cc3a07',
}
const OFF: LintFinding = {
  severity: 'error',
  rule: 'font-off',
  path: '',
  message: 'Use a family.',
  count: 1,
  value: 'arial',
}
const { path: _, value: _value, ...near } = NEAR
const { guide: __, ...nearWithoutPage } = near
const { path: ___, value: _offValue, ...off } = OFF

type Call = LintInput & { project: string }

/** Calls the tool with a linter that has these findings, or this problem. Returns what it was given, too. */
async function lint(
  given: object,
  {
    findings = [NEAR, OFF],
    problem,
    ...options
  }: Partial<Reader> & { findings?: LintFinding[]; problem?: string } = {},
) {
  const calls: Call[] = []
  const call = await agentTools(store, 'acme', {
    lint: async ({ record }, input) => {
      calls.push({ project: record.project, ...input })
      return problem === undefined ? ok(findings) : failed(problem)
    },
    ...options,
  })
  const result = await call('lint', given)
  const output = TOOLS.find(({ name }) => name === 'lint')?.output ?? {}
  if (result.ok) assert.ok(new Ajv({ strict: true }).validate(output, JSON.parse(JSON.stringify(result.value))))
  return { result, calls }
}

const CSS = { project: 'guidelines', content: 'a { color: #cc3a07 }', kind: 'css' }

test('findings come in the order of the linter, without a path, with their number', async () => {
  const { result, calls } = await lint(CSS)
  assert.deepEqual(result, ok({ total: 2, findings: [near, off] }))
  assert.deepEqual(calls, [{ ...CSS, oldFiles: true }])
})

test('a brand without a finding gives an empty list', async () => {
  assert.deepEqual((await lint(CSS, { findings: [] })).result, ok({ total: 0, findings: [] }))
})

test('the tool of a guide takes no project', async () => {
  const { project, ...given } = CSS
  const { calls } = await lint(given, { isGuide: true })
  assert.deepEqual(calls, [{ ...CSS, oldFiles: true }])
  const wrong = await lint({ ...given, project }, { isGuide: true })
  assert.deepEqual([wrong.result.ok, wrong.calls], [false, []])
})

for (const [without, expected] of [
  ['document.read', { findings: [nearWithoutPage, off], oldFiles: true }],
  ['files.read', { findings: [near, off], oldFiles: false }],
] as const satisfies readonly [Scope, object][])
  test(`a token without ${without} gets ${expected.oldFiles ? 'no ids of pages' : 'nothing about old files'}`, async () => {
    const { result, calls } = await lint(CSS, { scopes: new Set(SCOPES.filter(scope => scope !== without)) })
    assert.deepEqual(result, ok({ total: 2, findings: expected.findings }))
    assert.deepEqual(calls, [{ ...CSS, oldFiles: expected.oldFiles }])
  })

test('at most 100 findings are listed, and fewer if they are long', async () => {
  const many = await lint(CSS, { findings: Array<LintFinding>(250).fill(OFF) })
  assert.deepEqual(
    many.result,
    ok({
      total: 250,
      findings: Array(100).fill(off),
      hint: 'Only 100 of 250 are listed. Correct them, then call again.',
    }),
  )
  const long = { ...NEAR, message: '"😀\\'.repeat(1000) }
  const { result } = await lint(CSS, { findings: Array<LintFinding>(100).fill(long) })
  assert.ok(result.ok)
  assert.ok(JSON.stringify(result.value).length < 35_000)
  assert.match(JSON.stringify(result.value), /Only \d of 100 are listed/)
})

test('content reaches the linter exactly as sent, up to 200,000 UTF-16 units', async () => {
  for (const content of ['', ' \n\t', ' \ufeffa {}\r\n', '\0\ud800', '😀'.repeat(100_000)]) {
    const { calls } = await lint({ ...CSS, content })
    assert.ok(calls[0]?.content === content)
  }
})

for (const [name, given, problem] of [
  ['201 thousand units', { content: 'x'.repeat(201_000) }, 'content must be a string of 0 to 200000 characters.'],
  ['100,001 pairs of units', { content: '😀'.repeat(100_001) }, 'content must be a string of 0 to 200000 characters.'],
  ['a number', { content: 1 }, 'content must be a string of 0 to 200000 characters.'],
  ['an unknown kind', { kind: 'pptx' }, 'kind must be one of css, html, svg, text.'],
  ['a kind with a space', { kind: ' css' }, 'kind must be one of css, html, svg, text.'],
  ['no kind', { kind: undefined }, 'kind is missing. This tool takes: project, content, kind.'],
  ['no content', { content: null }, 'content is missing. This tool takes: project, content, kind.'],
] as const)
  test(`a call with ${name} is refused before anything is compared`, async () => {
    const { result, calls } = await lint({ ...CSS, ...given })
    assert.deepEqual([result, calls], [failed(`The argument ${problem}`), []])
  })

test('an unknown project is named with the nearest ones', async () => {
  const { result, calls } = await lint({ ...CSS, project: 'guideline' })
  assert.match(result.ok ? '' : result.problem, /nearest ids are: guidelines/)
  assert.deepEqual(calls, [])
})

test('a linter that is busy is an error of the tool, with its advice', async () => {
  const problem = 'The service is comparing other content. Try again in some seconds.'
  assert.deepEqual((await lint(CSS, { problem })).result, failed(problem))
})
